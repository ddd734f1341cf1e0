import type { Request, Response, Router } from 'express';
import { encode } from 'uqr';
import { z } from 'zod';
import type { Person } from '../domain/settings.ts';
import { type Html, html, type Piece } from '../domain/text.ts';
import type { HttpDeps } from '../http/deps.ts';
import { formReader } from '../http/endpoints.ts';
import type { SecondFactor } from '../ledger/people.ts';
import type { PanelAnswers } from './answers.ts';
import type { Enrolment, SecondFactors } from './factor.ts';
import { factorPaths, factorWords } from './factor-words.ts';
import type { Framed } from './frame.ts';
import type { SignIn } from './guesses.ts';
import { passwordSection } from './password-page.ts';
import type { People } from './people.ts';
import type { Cookies, PanelSessions, SignedIn } from './sessions.ts';
import { comeFrom, isPanelPath, moment, showFlaw } from './show.ts';
import type { PanelView } from './visit.ts';

export interface EntryParts {
  root: string;
  cookies: Cookies;
  people: People;
  sessions: PanelSessions;
  signIn: SignIn;
  factors: SecondFactors;
  framedBy(req: Request, signedIn: SignedIn | null): Framed;
  answers: PanelAnswers;
  enter(req: Request, res: Response, person: Person, by: 'password' | 'code' | 'recovery'): Promise<SignedIn>;
  sendSignIn(req: Request, res: Response): Promise<void>;
}

const given = z.object({ codigo: z.string().max(60).catch('') });

export function addSecondFactor(router: Router, deps: HttpDeps, parts: EntryParts): void {
  const { root, sessions, signIn, factors, framedBy, answers, enter, sendSignIn } = parts;
  const { ledger, clock } = deps;
  const read = formReader(4_096, deps.bodies, 10);
  const go = (res: Response, path: string) => res.redirect(303, `${root}/panel${path}`);

  /** Has at least given the password; pages before the code have no frame. */
  async function askerOf(req: Request) {
    const whole = await sessions.of(req);
    const signedIn = whole ?? (await sessions.pendingOf(req));
    if (signedIn === null) return null;
    // The answer to a form is not a page of its own: a change of language leads to the form.
    const asked = framedBy(req, whole);
    const frame = req.method === 'POST' ? { ...asked, here: ownPath(backOf(req)) } : asked;
    const page: FactorPage = { frame, back: backOf(req) };
    return { ...signedIn, isWhole: whole !== null, page, words: factorWords };
  }
  type Asker = NonNullable<Awaited<ReturnType<typeof askerOf>>>;

  const forAsker =
    (answer: (asker: Asker, req: Request, res: Response) => Promise<void>) =>
    async (req: Request, res: Response): Promise<void> => {
      const asker = await askerOf(req);
      if (asker === null) return sendSignIn(req, res);
      return answer(asker, req, res);
    };
  const record = (what: string, { user }: Person) =>
    ledger.auditLog.add({ who: `${user} (panel)`, what, subject: null, outcome: 'done', now: clock.now() });

  const showCode = forAsker(async ({ isWhole, page, person }, _req, res) => {
    if (isWhole) return go(res, page.back);
    if ((await factors.of(person)) === null) return go(res, ownPath(page.back));
    answers.page(res, page.frame, codeView(page));
  });

  const takeCode = forAsker(async ({ isWhole, page, person, words }, req, res) => {
    if (isWhole) return go(res, page.back);
    const { codigo } = given.parse(req.body ?? {});
    const by = await signIn.checkCode(
      req,
      person,
      async () => (await factors.acceptCode(person, codigo)) ?? factors.acceptRecovery(person, codigo),
    );
    if (by === 'wrong' || typeof by === 'object') {
      deps.log.warn({ user: person.user }, 'A sign-in had a wrong code after a right password');
      return answers.page(res, page.frame, codeView({ ...page, ...flawOf(res, by, words) }));
    }
    const { tokenHash } = await enter(req, res, person, by);
    if (by === 'recovery') {
      const left = (await factors.of(person))?.codesLeft ?? 0;
      const message = `Entró con un código de recuperación. ${factorWords.own.left(left)}`;
      await ledger.sessions.notify(tokenHash, message);
    }
    go(res, page.back);
  });

  const showOwn = forAsker(async (asker, _req, res) => {
    const { isWhole, person, tokenHash, page } = asker;
    const factor = factors.isOn ? await factors.of(person) : null;
    if (factor && !isWhole) return go(res, codePath(page.back));
    const answer =
      factors.isOn && !factor
        ? enrolView(page, await factors.enrolment(person, tokenHash))
        : ownView(page, factor, clock.now());
    await answers.send(res, { frame: page.frame, signedIn: asker, answer });
  });

  const enrol = forAsker(async ({ person, tokenHash, page, words }, req, res) => {
    if (!factors.isOn || (await factors.of(person))) return go(res, ownPath(page.back));
    const codes = await factors.enrol(person, tokenHash, given.parse(req.body ?? {}).codigo);
    if (codes === null) {
      const flawed = { ...page, status: 422, flaw: words.enrol.wrong };
      return answers.page(res, page.frame, enrolView(flawed, await factors.enrolment(person, tokenHash)));
    }
    await record('second-factor', person);
    // Sessions begun elsewhere with the password alone need a code from now on.
    await ledger.sessions.endOf(person.user);
    const signedIn = await enter(req, res, person, 'code');
    const frame = { ...framedBy(req, signedIn), here: factorPaths.own };
    answers.page(res, frame, codesView({ ...page, frame }, codes));
  });

  const renewCodes = forAsker(async ({ isWhole, person, page, words }, req, res) => {
    if (!isWhole) return sendSignIn(req, res);
    const factor = factors.isOn ? await factors.of(person) : null;
    if (factor === null) return go(res, factorPaths.own);
    const { codigo } = given.parse(req.body ?? {});
    const answer = await signIn.checkCode(req, person, () => factors.acceptCode(person, codigo));
    if (answer !== 'code') {
      const flawed = { ...page, ...flawOf(res, answer, words) };
      return answers.page(res, page.frame, ownView(flawed, factor, clock.now()));
    }
    const codes = await factors.renewCodes(person);
    await record('recovery-codes', person);
    answers.page(res, page.frame, codesView(page, codes));
  });

  router.get(factorPaths.code, showCode);
  router.post(factorPaths.code, read, takeCode);
  router.get(factorPaths.own, showOwn);
  router.post(factorPaths.own, read, enrol);
  router.post(factorPaths.codes, read, renewCodes);
}

function flawOf(res: Response, answer: string | { waitSeconds: number }, { code }: typeof factorWords) {
  if (typeof answer === 'string') return { status: 401, flaw: code.wrong };
  res.set('Retry-After', String(answer.waitSeconds));
  return { status: 429, flaw: code.tooMany };
}

const withBack = (path: string, back: string): string =>
  back === '' ? path : `${path}?volver=${encodeURIComponent(back)}`;
export const codePath = (back: string): string => withBack(factorPaths.code, back);
const ownPath = (back: string): string => withBack(factorPaths.own, back);

export function backOf(req: Request): string {
  const fromForm = comeFrom({ ...req.body });
  if (fromForm !== '') return fromForm;
  const back = new URL(req.url, 'http://panel').searchParams.get('volver') ?? '';
  return isPanelPath(back) ? back : '';
}

interface FactorPage {
  frame: Framed;
  back: string;
  status?: number;
  flaw?: string;
}

function form({ frame, back }: FactorPage, path: string, body: Piece, submit: string): Html {
  return html`<form class="entry" method="post" action="${frame.root}/panel${path}">
<input type="hidden" name="volver" value="${back}">
${body}
<button type="submit">${submit}</button>
</form>`;
}

const digits = (label: string, isFirst: boolean): Html => html`<label for="codigo">${label}</label>
<input type="text" id="codigo" name="codigo" class="key code" inputmode="numeric" autocomplete="one-time-code" maxlength="20" spellcheck="false" required${isFirst && html` autofocus`}>`;

const copyButton = (text: string, label: string, copied: string): Html =>
  html`<div class="acts"><button type="button" class="plain" hidden data-copy="${text}" data-said="copiado" data-done="${copied}">${label}</button><span id="copiado" class="soft" role="status"></span></div>`;

function codeView(page: FactorPage): PanelView {
  const { frame, status = 200 } = page;
  const { code: words } = factorWords;
  return {
    title: words.title,
    status,
    body: html`${showFlaw(page.flaw)}<p>${words.lead}</p>
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
<form class="leave" method="post" action="${frame.root}/panel/salir"><button type="submit" class="quiet">${words.other}</button></form>`,
  };
}

function enrolView(page: FactorPage, { uri, secret }: Enrolment): PanelView {
  const { status = 200 } = page;
  const { enrol: words, code, copied } = factorWords;
  return {
    title: words.title,
    status,
    body: html`${showFlaw(page.flaw)}<div class="narrow"><p>${words.lead}</p>
<ol class="steps"><li><p>${words.install}</p></li>
<li><p>${words.scan}</p>
${picture(uri, words.picture)}
<p class="onphone"><a href="${uri}">${words.open}</a></p>
<p class="soft">${words.type}</p>
<p class="key">${(secret.match(/.{1,4}/g) ?? []).join(' ')}</p>
${copyButton(secret, words.copy, copied)}</li>
<li><p>${words.confirm}</p>
${form(page, factorPaths.own, digits(code.label, false), words.submit)}</li></ol>
${ownPassword(page)}</div>`,
  };
}

function codesView({ frame, back }: FactorPage, codes: readonly string[]): PanelView {
  const { codes: words, copied } = factorWords;
  return {
    title: words.title,
    body: html`<div class="narrow"><p>${words.lead}</p>
<ul class="codes key">${codes.map((code) => html`<li>${code}</li>`)}</ul>
${copyButton(codes.join('\n'), words.copy, copied)}
<div class="acts"><a class="button" href="${frame.root}/panel${back}">${words.go}</a></div></div>`,
  };
}

function ownView(page: FactorPage, factor: SecondFactor | null, now: Date): PanelView {
  const { status = 200 } = page;
  const { own: words, code } = factorWords;
  const state = factor
    ? html`<p>${words.on} ${moment(factor.enrolledAt, { now })}. ${words.left(factor.codesLeft)}</p>
<h3>${words.renew}</h3><p class="soft">${words.renewHint}</p>
${form(page, factorPaths.codes, digits(code.label, false), words.submit)}`
    : html`<p>${words.off}</p>`;
  return {
    title: words.nav,
    status,
    body: html`${showFlaw(page.flaw)}<div class="narrow">
<section class="card"><h2>${words.title}</h2>
${state}</section>
${ownPassword(page)}</div>`,
  };
}

const ownPassword = ({ frame: { person, root } }: FactorPage): Piece =>
  person && passwordSection(root, person.user);

/** Dark on light in every colour scheme, with the margin cameras need. */
function picture(uri: string, label: string): Html {
  const { data, size } = encode(uri, { border: 4 });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}" fill="#000"/></svg>`;
}
