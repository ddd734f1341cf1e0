import { mayDo, type Role } from '../../domain/settings.ts';
import { type Html, html, type Piece } from '../../domain/text.ts';
import { assetPath } from '../assets.ts';
import { pageHead } from '../pages.ts';
import { factorPaths, factorWords } from './second-factor/words.ts';
import { inBoth, type Language, type PanelPage, type PanelView } from './visit.ts';

export interface Framed {
  /** The path of `publicUrl`: '' or '/facturas'. */
  root: string;
  language: Language;
  /** The path below the panel. */
  here: string;
  /** All pages of the panel; the header links to those with `nav`. */
  pages: readonly PanelPage[];
  /** Null before the sign-in. */
  person: { user: string; role: Role; notice: string | null } | null;
}

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
<form method="post" action="${root}/panel/salir"><button type="submit" class="quiet">${words.signOut}</button></form>`
}
</div></div></header>`;
}

function nav({ root, language, here, pages }: Framed, role: Role): Html {
  const shown = pages
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

/** Focused, because a screen reader does not announce text that is there when the page opens. */
const notice = ({ person }: Framed): Piece =>
  person?.notice != null &&
  html`<p class="notice" role="status" lang="es" tabindex="-1" autofocus>${person.notice}</p>`;

export const frameWords = inBoth({
  skip: ['Ir al contenido', 'Skip to content'],
  menu: ['Páginas del panel', 'Pages of the panel'],
  home: ['facturapuente, panel', 'facturapuente, panel'],
  other: ['English', 'Español'],
  signOut: ['Salir', 'Sign out'],
  signedIn: [
    (user: string) => `Sesión iniciada como ${user}.`,
    (user: string) => `You are signed in as ${user}.`,
  ],
  roles: {
    read: ['lectura', 'read'],
    operate: ['operación', 'operate'],
    configure: ['configuración', 'configure'],
  },
  signIn: {
    title: ['Entrar al panel', 'Sign in to the panel'],
    user: ['Usuario', 'User'],
    password: ['Contraseña', 'Password'],
    submit: ['Entrar', 'Sign in'],
    wrong: ['El usuario o la contraseña no son correctos.', 'The user or the password is not correct.'],
    busy: [
      'Muchas personas están iniciando sesión a la vez. Intente de nuevo en unos segundos.',
      'Many people are signing in at once. Try again in a few seconds.',
    ],
    'too-many': [
      'Hubo demasiados intentos. Espere quince minutos antes de volver a intentarlo.',
      'There were too many attempts. Wait fifteen minutes before you try again.',
    ],
    insecure: [
      'El panel necesita una dirección https: la de publicUrl es http, y con ella el navegador no guarda la sesión.',
      'The panel needs an https address: publicUrl is http, and browsers do not keep the session over it.',
    ],
  },
  refused: {
    title: ['No se hizo nada', 'Nothing was done'],
    forged: [
      'La solicitud no vino de una página abierta de este panel. Vuelva a la página e intente de nuevo.',
      'The request did not come from an open page of this panel. Go back to the page and try again.',
    ],
    role: [
      'Su usuario no puede hacer esto. Pídalo a quien administra facturapuente.',
      'Your user may not do this. Ask whoever administers facturapuente.',
    ],
    unread: [
      'La solicitud no se pudo leer. Vuelva a la página e intente de nuevo.',
      'The request could not be read. Go back to the page and try again.',
    ],
    failed: [
      'Ocurrió un error interno; vuelva a intentarlo en unos minutos.',
      'An internal error occurred; try again in a few minutes.',
    ],
  },
  missing: {
    title: ['Esta página no existe', 'There is no such page'],
    says: [
      'Revise la dirección o vuelva al inicio del panel.',
      'Check the address, or go back to the start of the panel.',
    ],
  },
  back: ['Volver al inicio', 'Back to the start'],
});
