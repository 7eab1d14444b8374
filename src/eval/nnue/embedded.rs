//! The embedded network.

use super::{Network, Parameters};
use std::sync::{Arc, LazyLock};

/// Embedded file; `nets/README.md` documents its origin.
const EMBEDDED_FILE: &[u8] = include_bytes!("../../../nets/kp.bin");

impl Network {
    /// The embedded network `nets/kp.bin`, parsed on first use. `None` when out of memory.
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
    fn embedded_network_round_trips() {
        let parameters = Parameters::from_bytes(EMBEDDED_FILE).unwrap();
        assert_eq!(parameters.shape, Shape::KP);
        let mut bytes = Vec::new();
        parameters.write(&mut bytes).unwrap();
        assert!(bytes == EMBEDDED_FILE, "nets/kp.bin was written by something else");
        assert!(Network::embedded().is_some());
    }
}
