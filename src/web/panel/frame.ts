import { type Html, html, type Piece } from '../../domain/html.ts';
import { mayDo, type Role } from '../../domain/people.ts';
import { assetPath } from '../assets.ts';
import { pageHead } from '../head.ts';
import { tokenField } from './forms.ts';
import { frameWords } from './frame-words.ts';
import { panelPages } from './pages.ts';
import { factorPaths, factorWords } from './second-factor/words.ts';
import type { PanelView } from './visit.ts';
import type { Language } from './words.ts';

/** What the frame needs to know of a request. */
export interface Framed {
  /** Where the product stands on its host: '' or '/facturas'. */
  root: string;
  language: Language;
  /** The path below the panel. */
  here: string;
  /** Null before the sign-in. */
  person: { user: string; role: Role; csrf: string; notice: string | null } | null;
}

/** A whole page of the panel. */
export function framed(of: Framed, view: PanelView): Html {
  const { root, language } = of;
  return html`<!doctype html>
<html lang="${language === 'es' ? 'es-EC' : 'en'}">
${pageHead({ title: `${view.title} · facturapuente`, style: 'panel.css', scripts: ['panel.js', ...(view.scripts ?? [])], root })}
<body${of.person === null && html` class="outside"`}>
<a class="skip" href="#contenido">${frameWords[language].skip}</a>
${header(of)}
<main id="contenido" tabindex="-1">
${notice(of)}
${view.above}
<h1>${view.title}</h1>
${view.body}
</main>
</body>
</html>
`;
}

function header(of: Framed): Html {
  const { root, language, person, here } = of;
  const words = frameWords[language];
  const other: Language = language === 'es' ? 'en' : 'es';
  return html`<header><div class="bar">
<a class="mark" href="${root}/panel" aria-label="${words.home}"><img src="${assetPath('icono.svg', root)}" alt="" width="28" height="28"><span>facturapuente</span></a>
${person && nav(of, person.role)}
<div class="me"><a class="quiet" lang="${other}" hreflang="${other}" href="${root}/panel/idioma/${other}?volver=${encodeURIComponent(here)}">${words.other}</a>
${
  person &&
  html`<a class="quiet" href="${root}/panel${factorPaths.own}"${here === factorPaths.own && html` aria-current="page"`}>${factorWords[language].own.nav}</a>
<span class="who"><span class="heard">${words.signedIn(person.user)} </span><span aria-hidden="true">${person.user}</span> <small>${words.roles[person.role]}</small></span>
<form method="post" action="${root}/panel/salir"><input type="hidden" name="${tokenField}" value="${person.csrf}"><button type="submit" class="quiet">${words.signOut}</button></form>`
}
</div></div></header>`;
}

/** Only pages that exist and that this person may see. */
function nav({ root, language, here }: Framed, role: Role): Html {
  const shown = panelPages
    .flatMap(({ path, nav: place, role: needed }) =>
      place && mayDo(role, needed) ? [{ path, ...place }] : [],
    )
    .sort((one, other) => one.order - other.order);
  const current = here.split('?', 1)[0] ?? '';
  const isHere = (path: string) => current === path || (path !== '' && current.startsWith(`${path}/`));
  return html`<nav aria-label="${frameWords[language].menu}"><ul>${shown.map(
    ({ path, label }) =>
      html`<li><a href="${root}/panel${path}"${isHere(path) && html` aria-current="page"`}>${label[language]}</a></li>`,
  )}</ul></nav>`;
}

/** Focused, because what a page says when it opens is not read out by itself. */
const notice = ({ person }: Framed): Piece =>
  person?.notice != null &&
  html`<p class="notice" role="status" lang="es" tabindex="-1" autofocus>${person.notice}</p>`;
