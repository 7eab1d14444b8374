//! The network that comes with the engine.

use super::{Network, Parameters};
use std::sync::{Arc, LazyLock};

/// The file that is part of the program; `nets/README.md` tells where it comes from.
const EMBEDDED_FILE: &[u8] = include_bytes!("../../../nets/kp.bin");

impl Network {
    /// The network that comes with the engine: `nets/kp.bin`, read when it is first asked for. `None` where there is no memory for it.
    pub fn embedded() -> Option<&'static Arc<Self>> {
        static EMBEDDED: LazyLock<Option<Arc<Network>>> = LazyLock::new(|| {
            let parameters = Parameters::from_bytes(EMBEDDED_FILE).ok()?;
            let network = Network::new(&parameters).ok()?;
            let scale = network.measured_scale();
            Some(Arc::new(network.with_scale(scale)))
        });
        EMBEDDED.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::nnue::Shape;

    #[test]
    fn it_can_be_read_and_is_written_as_it_is() {
        let parameters = Parameters::from_bytes(EMBEDDED_FILE).unwrap();
        assert_eq!(parameters.shape, Shape::KP);
        let mut bytes = Vec::new();
        parameters.write(&mut bytes).unwrap();
        assert!(bytes == EMBEDDED_FILE, "nets/kp.bin was written by something else");
        assert!(Network::embedded().is_some());
    }
}
