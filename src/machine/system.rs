//! The memory of the system.

#[cfg(target_os = "linux")]
use super::groups::memory_left;

/// Memory in bytes, in all and what is available to this process, if known.
#[cfg(target_os = "linux")]
pub fn system_memory() -> Option<[u64; 2]> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let bytes = |key: &str| -> Option<u64> {
        let line = text.lines().find_map(|line| line.strip_prefix(key))?;
        line.strip_prefix(':')?.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
    };
    let available = bytes("MemAvailable")?;
    Some([bytes("MemTotal")?, memory_left().map_or(available, |group| available.min(group))])
}

/// Memory in bytes, in all and what is available to this process, if known. What may be allocated
/// is limited by physical memory and paging files together, what is fast by physical memory.
#[cfg(windows)]
pub fn system_memory() -> Option<[u64; 2]> {
    use windows_sys::Win32::System::SystemInformation::{GlobalMemoryStatusEx, MEMORYSTATUSEX};

    let mut status = MEMORYSTATUSEX { dwLength: size_of::<MEMORYSTATUSEX>() as u32, ..Default::default() };
    // SAFETY: the structure is a valid place to write to, and says how long it is.
    let known = unsafe { GlobalMemoryStatusEx(&raw mut status) } != 0;
    known.then(|| [status.ullTotalPhys, status.ullAvailPhys.min(status.ullAvailPageFile)])
}

/// Memory in bytes, in all and what is available to this process, if known.
#[cfg(not(any(target_os = "linux", windows)))]
pub fn system_memory() -> Option<[u64; 2]> {
    None
}

/// Available memory in bytes for this process, if known.
pub fn available_memory() -> Option<u64> {
    system_memory().map(|[_, available]| available)
}
