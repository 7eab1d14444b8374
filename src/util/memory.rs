//! Large zeroed slices straight from the operating system.

use bytemuck::Zeroable;
use memmap2::MmapMut;
use std::io;
use std::marker::PhantomData;
use std::ops::Deref;

/// A user asked for more memory than there is.
#[derive(Debug, thiserror::Error)]
pub enum MemoryError {
    /// More than the machine can give now.
    #[error("{wanted_mb} MiB do not fit into the {available_mb} MiB of memory available")]
    TooLarge {
        /// What was asked for.
        wanted_mb: usize,
        /// What there is.
        available_mb: u64,
    },
    /// The system refused.
    #[error("{wanted_mb} MiB of memory: {source}")]
    Refused {
        /// What was asked for.
        wanted_mb: usize,
        /// What the system said.
        source: io::Error,
    },
}

const MEBIBYTE: usize = 1 << 20;

/// A fixed slice of zeroed elements in pages of its own, on huge pages where the system offers them.
#[derive(Debug)]
pub struct HugeSlice<T: Zeroable> {
    map: MmapMut,
    len: usize,
    marker: PhantomData<T>,
}

impl<T: Zeroable> HugeSlice<T> {
    /// Maps `len` zeroed elements.
    ///
    /// # Errors
    /// When there is not so much memory.
    pub fn zeroed(len: usize) -> Result<Self, MemoryError> {
        const { assert!(align_of::<T>() <= 4096 && size_of::<T>() > 0) }
        let bytes = len.max(1).saturating_mul(size_of::<T>());
        let wanted_mb = bytes.div_ceil(MEBIBYTE);
        if let Some(available) = available_memory().filter(|&available| bytes as u64 > available) {
            return Err(MemoryError::TooLarge { wanted_mb, available_mb: available / MEBIBYTE as u64 });
        }
        let map = MmapMut::map_anon(bytes).map_err(|source| MemoryError::Refused { wanted_mb, source })?;
        // A system without huge pages works too, only slower.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Self { map, len, marker: PhantomData })
    }

    /// Sets every byte to zero with `threads` threads. This also makes the system hand out the pages now instead of during use.
    pub fn clear(&mut self, threads: usize) {
        let share = self.map.len().div_ceil(threads.max(1)).max(4096);
        std::thread::scope(|scope| {
            for part in self.map.chunks_mut(share) {
                scope.spawn(|| part.fill(0));
            }
        });
    }
}

impl<T: Zeroable> Deref for HugeSlice<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: the map is page-aligned, which is enough for `T`, and holds `len * size_of::<T>()` bytes that began as zero,
        // valid by `Zeroable`, and are written only through `T` itself or by `clear`, which borrows the slice mutably.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast(), self.len) }
    }
}

/// Bytes the system says it could give to a process now, where it says so.
pub fn available_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}
