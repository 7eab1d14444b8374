//! The embedded network.

use super::{Network, Parameters};
use std::sync::{Arc, LazyLock};

/// Embedded file; `nets/README.md` documents its origin.
#[cfg(not(target_family = "wasm"))]
const EMBEDDED_FILE: &[u8] = include_bytes!("../../../nets/zones.bin");
/// A browser loads the smaller one.
#[cfg(target_family = "wasm")]
const EMBEDDED_FILE: &[u8] = include_bytes!("../../../nets/kp.bin");

impl Network {
    /// The embedded network `nets/zones.bin`, in browsers `nets/kp.bin`, parsed on first use. `None` when out of memory.
    pub fn embedded() -> Option<&'static Arc<Self>> {
        static EMBEDDED: LazyLock<Option<Arc<Network>>> = LazyLock::new(|| {
            let parameters = Parameters::from_bytes(EMBEDDED_FILE).ok()?;
            Some(Arc::new(Network::new(&parameters).ok()?.with_measured_scale()))
        });
        EMBEDDED.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::nnue::{Features, Shape};

    #[test]
    fn embedded_networks_round_trip() {
        for (file, features) in
            [(EMBEDDED_FILE, Features::HalfKaZ15), (include_bytes!("../../../nets/kp.bin"), Features::Kp)]
        {
            let parameters = Parameters::from_bytes(file).unwrap();
            assert_eq!(parameters.shape, Shape { features, ..Shape::KP });
            let mut bytes = Vec::new();
            parameters.write(&mut bytes).unwrap();
            assert!(bytes == file, "the network {features:?} was written by something else");
        }
        assert!(Network::embedded().is_some());
    }
}
