//! Large zeroed allocations directly from the operating system, and prefetching.

use super::system::available_memory;
use super::threads::parallel_map;
use bytemuck::{Pod, Zeroable};
#[cfg(target_family = "wasm")]
use std::cell::UnsafeCell;
use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};

/// Out of memory.
#[derive(Debug, thiserror::Error)]
pub enum MemoryError {
    #[error("{wanted_mb} MiB do not fit into the {available_mb} MiB of memory available")]
    TooLarge { wanted_mb: usize, available_mb: u64 },
    #[error("{wanted_mb} MiB of memory: {source}")]
    Failed { wanted_mb: usize, source: io::Error },
}

impl MemoryError {
    /// The error of an allocation of this many bytes.
    pub fn out_of_memory(bytes: usize) -> Self {
        Self::Failed { wanted_mb: bytes.div_ceil(MEBIBYTE), source: io::ErrorKind::OutOfMemory.into() }
    }

    /// The error for a request of this many MiB, of which the failed allocation was a part.
    #[must_use]
    pub fn of_request(mut self, megabytes: usize) -> Self {
        let (Self::TooLarge { wanted_mb, .. } | Self::Failed { wanted_mb, .. }) = &mut self;
        *wanted_mb = megabytes;
        self
    }
}

const MEBIBYTE: usize = 1 << 20;
/// Minimum size for initialisation by several threads.
const PARALLEL_MIN: usize = 4 * MEBIBYTE;
/// Maximum number of threads that fill memory faster.
const MAX_FILL_THREADS: usize = 16;
/// Minimum page size.
const PAGE: usize = 4096;
/// Usual size of huge pages.
const HUGE_PAGE: usize = 2 * MEBIBYTE;
/// Minimum size for huge pages, where the system can be asked for them.
const HUGE_MIN: usize = if cfg!(target_os = "linux") { MEBIBYTE / 2 } else { usize::MAX };

/// A fixed zeroed slice in its own pages, on huge pages where available.
#[derive(Debug)]
pub struct HugeSlice<T: Zeroable> {
    pages: Pages,
    /// Offset in bytes of the first element: that of the first huge page.
    start: usize,
    len: usize,
    marker: PhantomData<T>,
}

impl<T: Zeroable> HugeSlice<T> {
    /// Maps `len` zeroed elements and touches all pages.
    ///
    /// # Errors
    /// When out of memory.
    pub fn zeroed(len: usize) -> Result<Self, MemoryError> {
        let mut slice = Self::lazily_zeroed(len)?;
        slice.touch(&AtomicBool::new(false));
        Ok(slice)
    }

    /// Maps `len` zeroed elements whose pages are allocated on first use.
    ///
    /// # Errors
    /// When out of memory.
    pub fn lazily_zeroed(len: usize) -> Result<Self, MemoryError> {
        const { assert!(align_of::<T>() <= PAGE && size_of::<T>() > 0) }
        let bytes = len.max(1).saturating_mul(size_of::<T>());
        let wanted_mb = bytes.div_ceil(MEBIBYTE);
        require_memory(0, bytes)?;
        let mapped = if bytes < HUGE_MIN { bytes } else { whole_pages(bytes) };
        let pages = map(mapped).map_err(|source| MemoryError::Failed { wanted_mb, source })?;
        let start = if bytes < mapped { pages.as_ptr().addr().wrapping_neg() % HUGE_PAGE } else { 0 };
        assert!(start + bytes <= mapped, "the slack is a huge page");
        Ok(Self { pages, start, len, marker: PhantomData })
    }

    /// Touches all pages now instead of during use, until `cut_short` is set.
    pub fn touch(&mut self, cut_short: &AtomicBool) {
        self.in_parts(cut_short, |part| part.chunks_mut(PAGE).for_each(|page| page[0] = 0));
    }

    /// Sets every byte to zero, until `cut_short` is set.
    pub fn clear(&mut self, cut_short: &AtomicBool) {
        self.in_parts(cut_short, |part| part.fill(0));
    }

    /// Splits the bytes among threads, which may only zero them.
    fn in_parts(&mut self, cut_short: &AtomicBool, work: impl Fn(&mut [u8]) + Sync) {
        let work = |part: &mut [u8]| {
            let parts = part.chunks_mut(PARALLEL_MIN).take_while(|_| !cut_short.load(Ordering::Relaxed));
            parts.for_each(&work);
        };
        // SAFETY: the bytes lie in the pages, which are borrowed mutably with the slice.
        let bytes = unsafe {
            std::slice::from_raw_parts_mut(self.pages.as_mut_ptr().add(self.start), self.len * size_of::<T>())
        };
        let processors = std::thread::available_parallelism().map_or(1, usize::from).min(MAX_FILL_THREADS);
        if processors == 1 || bytes.len() < PARALLEL_MIN {
            return work(bytes);
        }
        let share = bytes.len().div_ceil(processors).next_multiple_of(PAGE);
        parallel_map(bytes.chunks_mut(share), processors, |parts| parts.work(&work));
    }
}

impl<T: Zeroable> Deref for HugeSlice<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: the pages hold, from the page-aligned `start`, which is enough for `T`, `len *
        // size_of::<T>()` bytes that began as zero, valid by `Zeroable`, and are written only
        // through `T` itself, possibly atomics, or by `clear`, which borrows the slice mutably.
        unsafe { std::slice::from_raw_parts(self.pages.as_ptr().add(self.start).cast(), self.len) }
    }
}

/// `Pod`: any bytes are valid, so they may be written from outside.
impl<T: Pod> DerefMut for HugeSlice<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`; the pages are borrowed mutably with the slice, and any bytes are
        // valid by `Pod`.
        unsafe { std::slice::from_raw_parts_mut(self.pages.as_mut_ptr().add(self.start).cast(), self.len) }
    }
}

#[cfg(not(target_family = "wasm"))]
type Pages = memmap2::MmapRaw;

/// Size of a mapping that holds `bytes` in whole huge pages wherever it begins. The last of them
/// may take almost a huge page more memory than `bytes`.
fn whole_pages(bytes: usize) -> usize {
    bytes.checked_next_multiple_of(HUGE_PAGE).and_then(|whole| whole.checked_add(HUGE_PAGE)).unwrap_or(bytes)
}

/// Maps zeroed pages.
#[cfg(not(target_family = "wasm"))]
fn map(bytes: usize) -> io::Result<Pages> {
    let pages = Pages::from(memmap2::MmapMut::map_anon(bytes)?);
    // Huge pages are optional.
    #[cfg(target_os = "linux")]
    let _ = pages.advise(memmap2::Advice::HugePage);
    Ok(pages)
}

/// Pages from the allocator where nothing can be mapped.
#[cfg(target_family = "wasm")]
#[derive(Debug)]
struct Pages(Box<[UnsafeCell<Page>]>);

// SAFETY: the bytes are reached through `HugeSlice<T>` only, as a `T` or borrowed mutably.
#[cfg(target_family = "wasm")]
unsafe impl Sync for Pages {}

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
impl Pages {
    fn as_ptr(&self) -> *const u8 {
        self.0.as_ptr().cast()
    }

    fn as_mut_ptr(&self) -> *mut u8 {
        self.as_ptr().cast_mut()
    }
}

/// Checks that `bytes` fit in the available memory in addition to `planned` allocations, if known.
///
/// # Errors
/// When fewer than `bytes` bytes are available besides the `planned` ones.
pub fn require_memory(planned: usize, bytes: usize) -> Result<(), MemoryError> {
    let available = available_memory().map(|available| available.saturating_sub(planned as u64));
    match available {
        Some(available) if bytes as u64 > available => Err(MemoryError::TooLarge {
            wanted_mb: bytes.div_ceil(MEBIBYTE),
            available_mb: available / MEBIBYTE as u64,
        }),
        _ => Ok(()),
    }
}

/// A heap slice of `len` equal elements.
///
/// # Errors
/// When out of memory.
pub fn filled<T: Clone>(value: T, len: usize) -> Result<Box<[T]>, MemoryError> {
    let mut items = try_vec_with_capacity(len)?;
    items.resize(len, value);
    Ok(items.into_boxed_slice())
}

/// Returns freed memory to the system, where the allocator keeps it.
pub fn trim_heap() {
    // SAFETY: any argument is valid, and used memory is not changed.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    unsafe {
        libc::malloc_trim(0);
    }
}

/// An empty vector with capacity `count`.
///
/// # Errors
/// When out of memory.
pub fn try_vec_with_capacity<T>(count: usize) -> Result<Vec<T>, MemoryError> {
    let mut items = Vec::new();
    items.try_reserve_exact(count).map_err(|_| MemoryError::out_of_memory(count.saturating_mul(size_of::<T>())))?;
    Ok(items)
}

/// Prefetches the cache line of `item`. A useless prefetch costs little.
#[inline]
pub fn prefetch<T>(item: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: prefetching never faults, and the address comes from a reference anyway; SSE is
        // part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = item;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_elements_are_there() {
        for len in [1, 1000, MEBIBYTE / 8, MEBIBYTE / 8 + 1, PARALLEL_MIN] {
            let mut slice = HugeSlice::<u64>::zeroed(len).unwrap();
            assert!(slice.len() == len && slice.iter().all(|&element| element == 0));
            slice[len - 1] = 7;
            assert_eq!(slice[len - 1], 7);
            slice.clear(&AtomicBool::new(true));
            assert_eq!(slice[len - 1], 7, "not begun");
            slice.clear(&AtomicBool::new(false));
            assert_eq!(slice[len - 1], 0);
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn large_slices_begin_at_a_huge_page() {
        for len in [HUGE_MIN, 3 * MEBIBYTE] {
            assert!(HugeSlice::<u8>::zeroed(len).unwrap().as_ptr().addr().is_multiple_of(HUGE_PAGE));
        }
    }
}
