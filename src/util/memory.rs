//! Large zeroed slices straight from the operating system.

use bytemuck::{Pod, Zeroable};
use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

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

impl MemoryError {
    /// This many bytes could not be allocated.
    pub fn out_of_memory(bytes: usize) -> Self {
        Self::Refused { wanted_mb: bytes.div_ceil(MEBIBYTE), source: io::ErrorKind::OutOfMemory.into() }
    }
}

const MEBIBYTE: usize = 1 << 20;
/// The least size that pays for threads of its own.
const WORTH_THREADS: usize = 4 * MEBIBYTE;
/// More threads than this do not fill memory faster.
const MOST_THREADS: usize = 16;
/// The least page size of the systems we know.
const PAGE: usize = 4096;

/// A fixed slice of zeroed elements in pages of its own, on huge pages where the system offers them.
#[derive(Debug)]
pub struct HugeSlice<T: Zeroable> {
    pages: Pages,
    len: usize,
    marker: PhantomData<T>,
}

impl<T: Zeroable> HugeSlice<T> {
    /// Maps `len` zeroed elements, on pages that are ready to use.
    ///
    /// # Errors
    /// When there is not so much memory.
    pub fn zeroed(len: usize) -> Result<Self, MemoryError> {
        let mut slice = Self::lazily_zeroed(len)?;
        slice.touch();
        Ok(slice)
    }

    /// The same on pages that the system hands out when they are first used: for what may never need all of them.
    ///
    /// # Errors
    /// When there is not so much memory.
    pub fn lazily_zeroed(len: usize) -> Result<Self, MemoryError> {
        const { assert!(align_of::<T>() <= PAGE && size_of::<T>() > 0) }
        let bytes = len.max(1).saturating_mul(size_of::<T>());
        let wanted_mb = bytes.div_ceil(MEBIBYTE);
        require_memory_beside(0, bytes)?;
        let pages = map(bytes).map_err(|source| MemoryError::Refused { wanted_mb, source })?;
        Ok(Self { pages, len, marker: PhantomData })
    }

    /// Makes the system hand out the pages now instead of during use. Fresh ones are zero already.
    fn touch(&mut self) {
        self.in_parts(|part| part.chunks_mut(PAGE).for_each(|page| page[0] = 0));
    }

    /// Sets every byte to zero.
    pub fn clear(&mut self) {
        self.in_parts(|part| part.fill(0));
    }

    /// Gives each processor an equal part of the bytes, which it may only set to zero.
    fn in_parts(&mut self, work: impl Fn(&mut [u8]) + Sync) {
        let bytes: &mut [u8] = &mut self.pages;
        let processors = std::thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
        if processors == 1 || bytes.len() < WORTH_THREADS {
            return work(bytes);
        }
        let share = bytes.len().div_ceil(processors).next_multiple_of(PAGE);
        std::thread::scope(|scope| {
            for part in bytes.chunks_mut(share) {
                scope.spawn(|| work(part));
            }
        });
    }
}

impl<T: Zeroable> Deref for HugeSlice<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: the pages are page-aligned, which is enough for `T`, and holds `len * size_of::<T>()` bytes that began as zero,
        // valid by `Zeroable`, and are written only through `T` itself or by `clear`, which borrows the slice mutably.
        unsafe { std::slice::from_raw_parts(self.pages.as_ptr().cast(), self.len) }
    }
}

/// What may hold any bytes may also be written from outside.
impl<T: Pod> DerefMut for HugeSlice<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`; the pages are borrowed mutably with the slice, and any bytes are valid by `Pod`.
        unsafe { std::slice::from_raw_parts_mut(self.pages.as_mut_ptr().cast(), self.len) }
    }
}

#[cfg(not(target_family = "wasm"))]
type Pages = memmap2::MmapMut;

/// Maps zeroed pages.
#[cfg(not(target_family = "wasm"))]
fn map(bytes: usize) -> io::Result<Pages> {
    let pages = Pages::map_anon(bytes)?;
    // A system without huge pages works too, only slower.
    #[cfg(target_os = "linux")]
    let _ = pages.advise(memmap2::Advice::HugePage);
    Ok(pages)
}

/// Where nothing can be mapped, pages come from the allocator.
#[cfg(target_family = "wasm")]
#[derive(Debug)]
struct Pages(Box<[Page]>);

#[cfg(target_family = "wasm")]
#[derive(Copy, Clone, Debug, Zeroable, bytemuck::Pod)]
#[repr(C, align(4096))]
struct Page([u8; PAGE]);

/// Allocates zeroed pages.
#[cfg(target_family = "wasm")]
fn map(bytes: usize) -> io::Result<Pages> {
    let pages = bytemuck::try_zeroed_slice_box(bytes.div_ceil(PAGE));
    pages.map(Pages).map_err(|()| io::ErrorKind::OutOfMemory.into())
}

#[cfg(target_family = "wasm")]
impl Deref for Pages {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        bytemuck::cast_slice(&self.0)
    }
}

#[cfg(target_family = "wasm")]
impl std::ops::DerefMut for Pages {
    fn deref_mut(&mut self) -> &mut [u8] {
        bytemuck::cast_slice_mut(&mut self.0)
    }
}

/// Refuses what the machine cannot give now beside something that is planned but not allocated yet, where the system tells.
///
/// # Errors
/// When fewer than `bytes` bytes are available beside `planned` ones.
pub fn require_memory_beside(planned: usize, bytes: usize) -> Result<(), MemoryError> {
    let available = available_memory().map(|available| available.saturating_sub(planned as u64));
    match available {
        Some(available) if bytes as u64 > available => Err(MemoryError::TooLarge {
            wanted_mb: bytes.div_ceil(MEBIBYTE),
            available_mb: available / MEBIBYTE as u64,
        }),
        _ => Ok(()),
    }
}

/// A slice of `len` equal elements on the heap.
///
/// # Errors
/// When the allocator has no room for it.
pub fn filled<T: Clone>(value: T, len: usize) -> Result<Box<[T]>, MemoryError> {
    let mut items = Vec::new();
    items.try_reserve_exact(len).map_err(|_| MemoryError::out_of_memory(len.saturating_mul(size_of::<T>())))?;
    items.resize(len, value);
    Ok(items.into_boxed_slice())
}

/// Bytes the system says it could give to this process now, where it says so.
#[cfg(target_os = "linux")]
pub fn available_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    let machine = kilobytes.checked_mul(1024)?;
    Some(super::cgroup::memory_left().map_or(machine, |group| machine.min(group)))
}

/// Bytes the system says it could give to a process now, where it says so.
#[cfg(not(target_os = "linux"))]
pub fn available_memory() -> Option<u64> {
    None
}

/// Gives memory that was freed back to the system, where the allocator keeps it.
pub fn give_back_memory() {
    // SAFETY: it takes any number, and changes nothing that is in use.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    unsafe {
        libc::malloc_trim(0);
    }
}

/// An empty vector with room for `count` items.
pub fn vec_with_room<T>(count: usize) -> Result<Vec<T>, MemoryError> {
    let mut items = Vec::new();
    match items.try_reserve_exact(count) {
        Ok(()) => Ok(items),
        Err(_) => Err(MemoryError::out_of_memory(count.saturating_mul(size_of::<T>()))),
    }
}
