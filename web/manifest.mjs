// Writes engine.json, the manifest for ShogiHome (ABI `shogihome-wasm-engine/1`) and others, from
// the output of `usi`; and the version into package.json, without build-only entries.
import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const folder = pathToFileURL(`${resolve(process.argv[2])}/`);
const { default: createSabi } = await import(new URL("sabi.js", folder));
const engine = await createSabi();
const lines = [];
engine.addMessageListener((line) => lines.push(line));
engine.postMessage("usi");
engine.terminate();

const idOf = (word) => lines.find((line) => line.startsWith(`id ${word} `)).slice(`id ${word} `.length);
const options = lines.filter((line) => line.startsWith("option ")).map((line) => {
  const words = line.split(" ");
  const option = { name: words[2], type: words[4] };
  for (let at = 5; at + 1 < words.length; at += 2) {
    const [key, value] = [words[at], words[at + 1]];
    if (key === "var") (option.vars ||= []).push(value);
    else option[key] = option.type === "spin" ? Number(value) : value;
  }
  return option;
});
// Published names are stable: clients store them.
const presets = [
  { id: "sabi-v1", displayName: "Sabi" },
  ...[1, 5, 10, 15].map((level) => ({ id: `sabi-level-${level}-v1`, displayName: `Sabi Level ${level}`, values: { Level: level } })),
];
const manifest = { abi: "shogihome-wasm-engine/1", module: "sabi.js", moduleFormat: "esm", name: idOf("name"), author: idOf("author"), options, presets };
await writeFile(new URL("engine.json", folder), `${JSON.stringify(manifest, null, 2)}\n`);

const place = new URL("package.json", folder);
const { name, scripts, devDependencies, ...others } = JSON.parse(await readFile(place, "utf8"));
const [version] = /\d+\.\d+\.\d+\S*$/.exec(idOf("name"));
await writeFile(place, `${JSON.stringify({ name, version, ...others }, null, 2)}\n`);
