// Texts that stand in a page in both languages have elements with `lang`; the style hides those of the other language.
const page = document.documentElement;
const LANGUAGE = "sabi-language";

function speak(language) {
  page.lang = language;
  // A page from a file may have no storage.
  try { sessionStorage.setItem(LANGUAGE, language); } catch { /* it is asked again */ }
  retitle();
  document.dispatchEvent(new Event("language"));
}

function retitle() {
  document.title = document.querySelector("h1").textContent = document.querySelector(".bar").dataset[page.lang];
}

try { page.lang = sessionStorage.getItem(LANGUAGE) || page.lang; } catch { /* the language of the page */ }
retitle();
document.getElementById("language").onclick = () => speak(page.lang === "ja" ? "en" : "ja");
