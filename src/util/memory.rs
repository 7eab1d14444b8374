//! Large zeroed slices straight from the operating system.

use memmap2::MmapMut;
use std::io;
use std::marker::PhantomData;
use std::ops::Deref;

/// Types for which a run of zero bytes is a valid value.
///
/// # Safety
/// All-zero bytes must be a valid `Self`, `Self` must need no drop, be aligned to 4096 bytes at most, and be shareable between threads.
pub unsafe trait Zeroable: Sync + Send {}

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
    /// When the size overflows or the system refuses the memory.
    pub fn zeroed(len: usize) -> io::Result<Self> {
        let bytes = len
            .max(1)
            .checked_mul(size_of::<T>())
            .ok_or_else(|| io::Error::new(io::ErrorKind::OutOfMemory, "size overflows"))?;
        let map = MmapMut::map_anon(bytes)?;
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
        // SAFETY: the map is page-aligned and holds `len * size_of::<T>()` bytes that began as zero, valid by `Zeroable`, and
        // are written only through `T` itself or by `clear`, which borrows the slice mutably.
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
