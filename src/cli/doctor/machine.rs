//! Machine and build.

use super::problem::Problem;
use crate::engine::Options;
use crate::eval::nnue::Kernel;
use crate::util::system_memory;
use serde::Serialize;
use std::fs;
use std::io;
use std::thread;

const MEBIBYTE: u64 = 1 << 20;

#[derive(Serialize)]
pub struct Machine {
    build: String,
    /// Target features enabled at compile time.
    compiled_for: Vec<&'static str>,
    processor: Option<String>,
    /// Processor features that the engine can use.
    features: Vec<&'static str>,
    /// Inference kernel.
    kernel: String,
    cores: usize,
    /// Cores available to this process, by affinity and control groups.
    usable_cores: usize,
    /// Control group quota, in processors.
    processor_quota: Option<f64>,
    /// In MB, like all of these.
    memory: Option<u64>,
    pub memory_free: Option<u64>,
    /// Memory left under the limit of the control group.
    memory_quota: Option<u64>,
    huge_pages: Option<String>,
}

impl Machine {
    pub fn detect(options: &Options, problems: &mut Vec<Problem>) -> Self {
        let usable_cores = thread::available_parallelism().map_or(1, usize::from);
        let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let listed = info.lines().filter(|line| line.starts_with("processor")).count();
        let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
        let (architecture, system) = (std::env::consts::ARCH, std::env::consts::OS);
        #[cfg(target_os = "linux")]
        let (processor_quota, memory_quota) = (crate::util::processor_quota(), crate::util::memory_left());
        #[cfg(not(target_os = "linux"))]
        let (processor_quota, memory_quota): (Option<f64>, Option<u64>) = (None, None);
        let [memory, memory_free] =
            system_memory().map_or([None; 2], |bytes| bytes.map(|bytes| Some(bytes / MEBIBYTE)));
        // Version 1 control groups report a huge number if unlimited.
        let memory_quota =
            memory_quota.map(|bytes| bytes / MEBIBYTE).filter(|&quota| memory.is_none_or(|all| quota < all));
        let machine = Self {
            build: format!("{profile}, {architecture}, {system}"),
            compiled_for: compiled_for(),
            // Windows: `Intel64 Family 6 …`.
            processor: field(&info, "model name").or_else(|| std::env::var("PROCESSOR_IDENTIFIER").ok()),
            features: features(),
            kernel: Kernel::best().to_string(),
            cores: listed.max(usable_cores),
            usable_cores,
            processor_quota,
            memory,
            memory_free,
            memory_quota,
            huge_pages: huge_pages(),
        };
        machine.check(options, problems);
        machine
    }

    fn check(&self, options: &Options, problems: &mut Vec<Problem>) {
        let threads = options.resources.threads;
        if threads > self.usable_cores {
            problems.push(Problem::new(
                format!("Threads is {threads}, and {} cores are usable", self.usable_cores),
                format!("set Threads to {} or less", self.usable_cores),
            ));
        }
        if let Some(quota) = self.processor_quota.filter(|&quota| quota < threads as f64) {
            problems.push(Problem::new(
                format!("the control group allows {quota:.2} processors for {threads} threads"),
                "raise the limit of the container, or set fewer Threads",
            ));
        }
        if self.huge_pages.as_deref() == Some("never") {
            problems.push(Problem::new(
                "huge pages are switched off",
                "write madvise to /sys/kernel/mm/transparent_hugepage/enabled for a faster transposition table",
            ));
        }
        if cfg!(debug_assertions) {
            problems.push(Problem::new("this is a debug build", "build with cargo build --release"));
        }
        if self.kernel == "plain" {
            problems.push(Problem::new(
                "the processor has none of the vector instructions that evaluate networks quickly",
                "use a processor with SSE4.1, AVX2 or NEON; in a virtual machine, pass these through",
            ));
        }
    }

    pub fn write(&self, line: &mut dyn FnMut(&str, String) -> io::Result<()>) -> io::Result<()> {
        let mb = |amount: Option<u64>| amount.map_or_else(|| "unknown".to_owned(), |mb| format!("{mb} MB"));
        line("build", format!("{}; compiled for {}", self.build, list(&self.compiled_for)))?;
        line("processor", self.processor.clone().unwrap_or_else(|| "unknown".to_owned()))?;
        line("features", list(&self.features))?;
        line("kernel", self.kernel.clone())?;
        let quota = self.processor_quota.map_or_else(String::new, |quota| format!("; control group: {quota:.2}"));
        line("cores", format!("{}, usable {}{quota}", self.cores, self.usable_cores))?;
        let quota = self.memory_quota.map_or_else(String::new, |mb| format!("; control group leaves {mb} MB"));
        line("memory", format!("{}, free {}{quota}", mb(self.memory), mb(self.memory_free)))?;
        line("huge pages", self.huge_pages.clone().unwrap_or_else(|| "unknown".to_owned()))
    }
}

fn list(words: &[&str]) -> String {
    if words.is_empty() { "nothing special".to_owned() } else { words.join(" ") }
}

/// The first value of a key in a list of `key : value`.
fn field(text: &str, name: &str) -> Option<String> {
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// The selected word is in brackets.
fn huge_pages() -> Option<String> {
    let text = fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled").ok()?;
    let (_, rest) = text.split_once('[')?;
    Some(rest.split_once(']')?.0.to_owned())
}

/// The names of the available features.
fn available(list: &[(bool, &'static str)]) -> Vec<&'static str> {
    list.iter().filter(|(is_available, _)| *is_available).map(|&(_, name)| name).collect()
}

macro_rules! compiled {
    ($($name:tt),*) => { available(&[$((cfg!(target_feature = $name), $name)),*]) };
}

fn compiled_for() -> Vec<&'static str> {
    compiled!("sse4.1", "sse4.2", "popcnt", "bmi2", "avx2", "avx512f", "avx512bw", "avx512vnni", "neon")
}

#[cfg(target_arch = "x86_64")]
macro_rules! detected {
    ($($name:tt),*) => { available(&[$((std::arch::is_x86_feature_detected!($name), $name)),*]) };
}

#[cfg(target_arch = "x86_64")]
fn features() -> Vec<&'static str> {
    detected!("sse4.1", "sse4.2", "popcnt", "bmi2", "avx2", "avx512f", "avx512bw", "avx512vnni")
}

#[cfg(target_arch = "aarch64")]
fn features() -> Vec<&'static str> {
    available(&[(std::arch::is_aarch64_feature_detected!("neon"), "neon")])
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn features() -> Vec<&'static str> {
    Vec::new()
}
