import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import type { RequestHandler } from 'express';

export const assetsPath = '/paginas';

export interface Assets {
  /** It changes with the content; by default it is relative to a page one folder deep. */
  path(name: string, root?: string): string;
  /** `GET /paginas/:name` */
  send: RequestHandler<{ name: string }>;
}

export function openAssets(assets: Readonly<Record<string, () => string>>): Assets {
  const kept = new Map<string, string>();
  function textOf(name: string): string | undefined {
    const make = Object.hasOwn(assets, name) ? assets[name] : undefined;
    const text = kept.get(name) ?? make?.();
    if (text !== undefined) kept.set(name, text);
    return text;
  }
  return {
    path(name, root = '..') {
      const hash = createHash('sha256').update(textOf(name) ?? '');
      return `${root}${assetsPath}/${name}?${hash.digest('hex').slice(0, 8)}`;
    },
    send(req, res, next) {
      const { name } = req.params;
      const text = textOf(name);
      if (text === undefined) return next();
      res
        .type(/\.(css|svg)$/.exec(name)?.[1] ?? 'js')
        .set('Cache-Control', 'public, max-age=3600')
        .send(text);
    },
  };
}

const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/** The browser applies the server's rules. */
function identificationModule(): string {
  const text = readFileSync(new URL(`../domain/identification.${ending}`, import.meta.url), 'utf8');
  return ending === 'ts' ? stripTypeScriptTypes(text) : text.replace(/^\/\/# sourceMappingURL=.*$/m, '');
}

export const colours = `:root { color-scheme: light dark;
  --ground: light-dark(#f4f6f5, #0e1312); --card: light-dark(#ffffff, #161d1b); --line: light-dark(#cfd8d5, #34403d);
  --ink: light-dark(#17211e, #e8efec); --soft: light-dark(#51605b, #a2b1ac); --field: light-dark(#ffffff, #0e1312);
  --accent: light-dark(#0b6355, #57c9b1); --on-accent: light-dark(#ffffff, #06231d);
  --bad: light-dark(#a81c28, #ff9d9d); --bad-wash: light-dark(#fdebec, #34181a); --wash: light-dark(#e7f3ef, #14302a);
}`;

/** Every text is at least 4.5:1 on its ground, everything to touch at least 44 px high. */
const style = `
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

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b6355"/><path d="M9 6h14v20l-3.5-2-3.5 2-3.5-2L9 26z" fill="#fff"/><path d="m12.5 14.5 2.7 2.7 4.8-5" fill="none" stroke="#0b6355" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"/></svg>
`;

/** Without a clipboard the buttons stay hidden, and the text can be selected. */
export const copyScript = `
for (const button of document.querySelectorAll('[data-copy]')) {
  if (!navigator.clipboard) break;
  button.hidden = false;
  button.addEventListener('click', async () => {
    const { copy, said, done, failed } = button.dataset;
    const copied = await navigator.clipboard.writeText(copy).then(() => true, () => false);
    document.getElementById(said).textContent = copied ? done : failed ?? '';
  });
}
`;

/** The form works without the script. `rules` is the address of the module src/domain/identification. */
const buyerScript = (rules: string): string => `import { answeredId } from '${rules}';

const form = document.querySelector('form[data-buyer]');
if (form) {
  const { tipo, identificacion, nombre } = form.elements;
  const flaw = document.getElementById('identificacion-reparo');
  const offer = document.getElementById('sugerencia');
  let touched = identificacion.value !== '';
  let asked = '';

  const say = (text, good) => {
    if (flaw.textContent !== text) flaw.textContent = text;
    flaw.classList.toggle('good', Boolean(good));
    if (text && !good) identificacion.setAttribute('aria-invalid', 'true');
    else identificacion.removeAttribute('aria-invalid');
  };
  const read = () => (tipo.value === '' ? null : answeredId(tipo.value, identificacion.value));
  const whole = () => {
    const length = { cedula: 10, ruc: 13 }[tipo.value];
    return length !== undefined && identificacion.value.replace(/\\D/g, '').length >= length;
  };

  function check() {
    const found = read();
    if (found === null || (!touched && !whole())) return say('');
    if (found.message) return say(found.message);
    const local = tipo.value === 'cedula' || tipo.value === 'ruc';
    say(local ? (tipo.value === 'ruc' ? 'RUC válido.' : 'Cédula válida.') : '', true);
    if (local && form.dataset.names !== undefined) suggest(tipo.value, found.value);
  }

  async function suggest(kind, id) {
    if (asked === id || nombre.value.trim() !== '') return;
    asked = id;
    const body = new URLSearchParams({ tipo: kind, identificacion: id });
    const answer = await fetch(location.pathname + '/nombre', { method: 'POST', body }).catch(() => null);
    const said = answer && answer.ok ? await answer.json() : { nombre: null };
    if (!said.nombre || nombre.value.trim() !== '' || asked !== id) return;
    nombre.value = said.nombre;
    offer.textContent = 'Este nombre consta en el registro: compruébelo o corríjalo.';
  }

  identificacion.addEventListener('input', check);
  identificacion.addEventListener('change', () => { touched = true; check(); });
  form.addEventListener('change', (event) => {
    if (event.target.name !== 'tipo') return;
    identificacion.inputMode = tipo.value === 'cedula' || tipo.value === 'ruc' ? 'numeric' : 'text';
    check();
  });
  nombre.addEventListener('input', () => { offer.textContent = ''; });
  form.addEventListener('submit', (event) => {
    const found = read();
    if (!found || !found.message) return;
    event.preventDefault();
    touched = true;
    check();
    identificacion.focus();
  });
}

const left = document.querySelector('[data-left]');
if (left) {
  const end = performance.now() + Number(left.dataset.left) * 1000;
  const tick = () => {
    const minutes = Math.max(0, Math.ceil((end - performance.now()) / 60000));
    const hours = Math.floor(minutes / 60);
    const rest = hours > 0 ? hours + ' h ' + (minutes % 60) + ' min' : minutes + ' min';
    left.textContent = minutes > 0 ? ' (faltan ' + rest + ')' : '';
    left.hidden = minutes === 0;
  };
  tick();
  setInterval(tick, 15000);
}

// The factura is not decided yet: reload its state.
const state = document.getElementById('estado');
async function look(times) {
  const answer = await fetch(location.pathname, { cache: 'no-store' }).catch(() => null);
  const page = answer && new DOMParser().parseFromString(await answer.text(), 'text/html');
  const fresh = page && page.getElementById('estado');
  if (fresh) {
    if (fresh.textContent !== state.textContent) {
      state.replaceChildren(...fresh.childNodes);
      document.title = page.title;
      document.querySelector('h1').textContent = page.querySelector('h1').textContent;
    }
    if (fresh.dataset.wait === undefined) return;
  }
  if (times > 0) setTimeout(look, 2000, times - 1);
}
if (state && state.dataset.wait !== undefined) setTimeout(look, 1000, 60);
`;

export const pageAssets = openAssets({
  'pagina.css': () => style,
  'icono.svg': () => icon,
  'identificacion.js': () => buyerScript(`./identification.${ending}`),
  'comprobante.js': () => copyScript,
  [`identification.${ending}`]: identificationModule,
});
