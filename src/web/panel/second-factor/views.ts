import { encode } from 'uqr';
import { type Html, html, type Piece } from '../../../domain/html.ts';
import type { SecondFactor } from '../../../ledger/second-factors.ts';
import { tokenField } from '../forms.ts';
import type { Framed } from '../frame.ts';
import { moment } from '../show.ts';
import type { PanelView } from '../visit.ts';
import type { Enrolment } from './factor.ts';
import { factorPaths, factorWords } from './words.ts';

/** What every page here needs: the frame, the token of its forms, and where to go on afterwards. */
export interface FactorPage {
  frame: Framed;
  csrf: string;
  back: string;
  status?: number;
  flaw?: string;
}

const flawOf = ({ flaw }: FactorPage): Piece =>
  flaw !== undefined && html`<p class="notice bad" role="alert" tabindex="-1" autofocus>${flaw}</p>`;

function form({ frame, csrf, back }: FactorPage, path: string, body: Piece, submit: string): Html {
  return html`<form class="entry" method="post" action="${frame.root}/panel${path}">
<input type="hidden" name="${tokenField}" value="${csrf}"><input type="hidden" name="volver" value="${back}">
${body}
<button type="submit">${submit}</button>
</form>`;
}

const digits = (label: string, isFirst: boolean): Html => html`<label for="codigo">${label}</label>
<input type="text" id="codigo" name="codigo" class="key code" inputmode="numeric" autocomplete="one-time-code" maxlength="20" spellcheck="false" required${isFirst && html` autofocus`}>`;

const copyButton = (text: string, label: string, copied: string): Html =>
  html`<div class="acts"><button type="button" class="plain" hidden data-copy="${text}" data-said="copiado" data-done="${copied}">${label}</button><span id="copiado" class="soft" role="status"></span></div>`;

/** After the password: the code of the app, or a recovery code. */
export function codeView(page: FactorPage): PanelView {
  const { frame, csrf, status = 200 } = page;
  const { code: words } = factorWords[frame.language];
  return {
    title: words.title,
    status,
    body: html`${flawOf(page)}<p>${words.lead}</p>
${form(page, factorPaths.code, digits(words.label, page.flaw === undefined), words.submit)}
<details class="other"><summary>${words.recover}</summary>
<p class="soft">${words.recoverHint}</p>
${form(
  page,
  factorPaths.code,
  html`<label for="recuperacion">${words.recoverLabel}</label>
<input type="text" id="recuperacion" name="codigo" class="key" autocomplete="off" autocapitalize="none" maxlength="40" spellcheck="false" required>`,
  words.submit,
)}
<p class="hint">${words.lost}</p></details>
<form class="leave" method="post" action="${frame.root}/panel/salir"><input type="hidden" name="${tokenField}" value="${csrf}"><button type="submit" class="quiet">${words.other}</button></form>`,
  };
}

/** Before the first code: the secret as a picture and in letters. */
export function enrolView(page: FactorPage, { uri, secret }: Enrolment): PanelView {
  const { frame, status = 200 } = page;
  const { enrol: words, code, copied } = factorWords[frame.language];
  return {
    title: words.title,
    status,
    body: html`${flawOf(page)}<div class="narrow"><p>${words.lead}</p>
<ol class="steps"><li><p>${words.install}</p></li>
<li><p>${words.scan}</p>
${picture(uri, words.picture)}
<p class="onphone"><a href="${uri}">${words.open}</a></p>
<p class="soft">${words.type}</p>
<p class="key">${(secret.match(/.{1,4}/g) ?? []).join(' ')}</p>
${copyButton(secret, words.copy, copied)}</li>
<li><p>${words.confirm}</p>
${form(page, factorPaths.own, digits(code.label, false), words.submit)}</li></ol></div>`,
  };
}

/** Recovery codes, which nobody sees again. */
export function codesView({ frame, back }: FactorPage, codes: readonly string[]): PanelView {
  const { codes: words, copied } = factorWords[frame.language];
  return {
    title: words.title,
    body: html`<div class="narrow"><p>${words.lead}</p>
<ul class="codes key">${codes.map((code) => html`<li>${code}</li>`)}</ul>
${copyButton(codes.join('\n'), words.copy, copied)}
<div class="acts"><a class="button" href="${frame.root}/panel${back}">${words.go}</a></div></div>`,
  };
}

/** How somebody's second factor stands; null where the config uses none. */
export function ownView(page: FactorPage, factor: SecondFactor | null, now: Date): PanelView {
  const { frame, status = 200 } = page;
  const { own: words, code } = factorWords[frame.language];
  if (!factor) return { title: words.title, body: html`<p>${words.off}</p>` };
  return {
    title: words.title,
    status,
    body: html`${flawOf(page)}<div class="narrow">
<p>${words.on} ${moment(factor.enrolledAt, { language: frame.language, now })}. ${words.left(factor.codesLeft)}</p>
<section class="card"><h2>${words.renew}</h2><p class="soft">${words.renewHint}</p>
${form(page, factorPaths.codes, digits(code.label, false), words.submit)}</section></div>`,
  };
}

/** Dark on light in every colour scheme, with the margin cameras need. */
function picture(uri: string, label: string): Html {
  const { data, size } = encode(uri, { border: 4 });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}" fill="#000"/></svg>`;
}
