import { type Html, html, type Piece } from '../domain/text.ts';
import { passwordPaths, passwordWords } from './password-words.ts';
import { showFlaw } from './show.ts';
import type { PanelView } from './visit.ts';

export interface Flawed {
  status: number;
  flaw: string;
}

const passwordField = (name: string, label: string, autocomplete: string, hint?: string): Html =>
  html`<div><label for="${name}">${label}</label>
<input type="password" id="${name}" name="${name}" maxlength="1000" autocomplete="${autocomplete}"${hint !== undefined && html` aria-describedby="${name}-pista"`} required>
${hint !== undefined && html`<p class="hint" id="${name}-pista">${hint}</p>`}</div>`;

const freshFields = ({ fresh, again, hint } = passwordWords.own): Html =>
  html`${passwordField('nueva', fresh, 'new-password', hint)}${passwordField('repetida', again, 'new-password')}`;

/** Password managers need the name. */
const hiddenUser = (user: string): Html =>
  html`<input type="text" name="usuario" value="${user}" autocomplete="username" readonly hidden>`;

function form(root: string, path: string, body: Piece, submit: string): Html {
  return html`<form class="entry" method="post" action="${root}/panel${path}">
${body}
<button type="submit">${submit}</button>
</form>`;
}

const changeForm = (root: string, user: string, { present, submit } = passwordWords.own): Html =>
  form(
    root,
    passwordPaths.change,
    html`${hiddenUser(user)}${passwordField('actual', present, 'current-password')}${freshFields()}`,
    submit,
  );

export function passwordSection(root: string, user: string): Html {
  const { title, lead } = passwordWords.own;
  return html`<section class="card"><h2>${title}</h2><p class="soft">${lead}</p>
${changeForm(root, user)}</section>`;
}

export function changeView(
  root: string,
  user: string,
  { back, status, flaw }: Flawed & { back: string },
): PanelView {
  const { own } = passwordWords;
  return {
    title: own.flawed,
    status,
    above: html`<p><a href="${root}/panel${back}">${own.back}</a></p>`,
    body: html`<div class="narrow">${showFlaw(flaw)}<section class="card">${changeForm(root, user)}</section></div>`,
  };
}

const toSignIn = (root: string, label: string): Html =>
  html`<p class="hint"><a href="${root}/panel/entrar">${label}</a></p>`;

export function forgottenView(root: string): PanelView {
  const { forgotten: words } = passwordWords;
  const user = html`<label for="usuario">${words.user}</label>
<input type="text" id="usuario" name="usuario" maxlength="80" autocomplete="username" autocapitalize="none" spellcheck="false" required>`;
  return {
    title: words.title,
    body: html`<p>${words.lead}</p>
${form(root, passwordPaths.forgotten, user, words.submit)}
${toSignIn(root, words.back)}`,
  };
}

/** The same page for every name, so that it reveals none. */
export function sentView(root: string): PanelView {
  const { forgotten: words } = passwordWords;
  return {
    title: words.sentTitle,
    body: html`<p>${words.sent}</p><p>${words.none}</p>${toSignIn(root, words.back)}`,
  };
}

export function renewView(
  root: string,
  { usuario, ficha }: { usuario: string; ficha: string },
  flawed?: Flawed,
): PanelView {
  const { renewed: words } = passwordWords;
  return {
    title: words.title,
    status: flawed?.status,
    body: html`${showFlaw(flawed?.flaw)}<p>${words.lead(usuario)}</p>
${form(
  root,
  passwordPaths.renewed,
  html`${hiddenUser(usuario)}<input type="hidden" name="ficha" value="${ficha}">${freshFields()}`,
  words.submit,
)}`,
  };
}

export function renewedView(root: string): PanelView {
  const { renewed: words } = passwordWords;
  return {
    title: words.done,
    body: html`<p>${words.doneLead}</p>
<div class="acts"><a class="button" href="${root}/panel/entrar">${words.enter}</a></div>`,
  };
}

export function goneView(root: string): PanelView {
  const { renewed: words } = passwordWords;
  return {
    title: words.gone,
    status: 410,
    body: html`<p>${words.goneLead}</p>
<div class="acts"><a class="button" href="${root}/panel${passwordPaths.forgotten}">${words.another}</a></div>`,
  };
}
