export const colours = `:root { color-scheme: light dark;
  --ground: light-dark(#f4f6f5, #0e1312); --card: light-dark(#ffffff, #161d1b); --line: light-dark(#cfd8d5, #34403d);
  --ink: light-dark(#17211e, #e8efec); --soft: light-dark(#51605b, #a2b1ac); --field: light-dark(#ffffff, #0e1312);
  --accent: light-dark(#0b6355, #57c9b1); --on-accent: light-dark(#ffffff, #06231d);
  --bad: light-dark(#a81c28, #ff9d9d); --bad-wash: light-dark(#fdebec, #34181a); --wash: light-dark(#e7f3ef, #14302a);
}`;

/** Every text is at least 4.5:1 on its ground, everything to touch at least 44 px high. */
export const style = `
${colours}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink);
  font: 1.0625rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; }
main { max-width: 34rem; margin: 0 auto; padding: 1.75rem clamp(1.1rem, 5vw, 2.25rem) 2.25rem; background: var(--card); }
.wide main { max-width: 60rem; }
@media (min-width: 36rem) { main { margin: clamp(1rem, 6vh, 4rem) auto; border: 1px solid var(--line); border-radius: 14px; } }
h1 { font-size: 1.5rem; line-height: 1.25; letter-spacing: -.01em; margin: 0 0 .5rem; }
h2 { font-size: 1.05rem; margin: 0 0 .25rem; }
.shop { margin: 0 0 .35rem; color: var(--soft); font-weight: 600; }
p { margin: 0 0 1rem; } a { color: var(--accent); text-underline-offset: 2px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; margin: 0 0 1.25rem; padding: .85rem 1rem; background: var(--wash); border-radius: 10px; }
dt { color: var(--soft); } dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
form { display: grid; gap: 1.15rem; margin-top: 1.25rem; }
fieldset { border: 0; padding: 0; margin: 0; } legend, label.name { display: block; font-weight: 600; padding: 0; margin-bottom: .35rem; }
.kinds { display: grid; grid-template-columns: 1fr 1fr; gap: .5rem; }
.kinds label { display: flex; align-items: center; gap: .55rem; min-height: 46px; padding: .35rem .7rem; border: 1px solid var(--line); border-radius: 10px; }
.kinds label:has(:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); background: var(--wash); }
.kinds label:has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: 2px; } .kinds input:focus-visible { outline: 0; }
input[type=radio] { accent-color: var(--accent); width: 1.15rem; height: 1.15rem; margin: 0; }
input[type=text], input[type=email] { width: 100%; min-height: 46px; padding: .5rem .75rem; font: inherit; color: inherit; background: var(--field); border: 1px solid var(--soft); border-radius: 10px; }
[aria-invalid=true] { border-color: var(--bad) !important; }
.hint, .soft { color: var(--soft); font-size: .95rem; } .hint { margin: .35rem 0 0; }
.flaw { color: var(--bad); font-size: .95rem; margin: .35rem 0 0; min-height: 1.4rem; } .flaw:empty { min-height: 0; margin: 0; }
.good { color: var(--accent); }
.summary { background: var(--bad-wash); border-left: 4px solid var(--bad); padding: .85rem 1rem; border-radius: 0 10px 10px 0; margin: 0 0 1.25rem; }
.summary p { margin: 0; font-weight: 600; } .summary ul { margin: .35rem 0 0; padding-left: 1.2rem; }
button, .button { display: inline-flex; align-items: center; justify-content: center; min-height: 48px; padding: .55rem 1.2rem; font: inherit; font-weight: 600;
  border-radius: 10px; border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); text-decoration: none; cursor: pointer; }
button.plain, .button.plain { background: transparent; color: var(--accent); }
.row { display: flex; flex-wrap: wrap; gap: .6rem; margin: 0 0 1.25rem; }
.key { font-family: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .92rem; overflow-wrap: anywhere; }
iframe { width: 100%; height: min(78vh, 62rem); border: 1px solid var(--line); border-radius: 10px; background: #fff; }
@media (max-width: 47.99rem) { .onlywide { display: none; } }
[hidden] { display: none !important; }
`;

export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b6355"/><path d="M9 6h14v20l-3.5-2-3.5 2-3.5-2L9 26z" fill="#fff"/><path d="m12.5 14.5 2.7 2.7 4.8-5" fill="none" stroke="#0b6355" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"/></svg>
`;
