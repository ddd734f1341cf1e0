import { createHash, randomInt } from 'node:crypto';
import type { Request, Response, Router } from 'express';
import { Secret, TOTP } from 'otpauth';
import { encode } from 'uqr';
import { z } from 'zod';
import { mayDo, type Person } from '../domain/settings.ts';
import { type Html, html, type Piece } from '../domain/text.ts';
import type { HttpDeps } from '../http/deps.ts';
import { formReader } from '../http/endpoints.ts';
import type { SecondFactor } from '../ledger/people.ts';
import type { SessionStage } from '../ledger/schema.ts';
import {
  acts,
  asTyped,
  comeFrom,
  copyButton,
  entryForm,
  field,
  isPanelPath,
  key,
  link,
  moment,
  plural,
  soft,
} from './components.ts';
import type { EntryParts, Framed } from './frame.ts';
import { passwordSection } from './password.ts';
import { entryPaths } from './sessions.ts';
import type { PanelView } from './visit.ts';

export type SecondFactorPolicy = 'required' | 'off';

const periodSeconds = 30;
const codesAtOnce = 10;
/** Characters that look alike are missing. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz';
const codeLength = 24;

interface Enrolment {
  uri: string;
  secret: string;
}

/** RFC 6238: SHA-1, six digits, 30 seconds, as authenticator apps support. A code may be one time step early or late. */
export function openSecondFactor(
  { ledger, clock, settings }: Pick<HttpDeps, 'ledger' | 'clock' | 'settings'>,
  policy: SecondFactorPolicy,
) {
  const host = new URL(settings.publicUrl).hostname;
  const totpOf = (person: string, secret: string) =>
    new TOTP({
      issuer: 'facturapuente',
      label: `${person}@${host}`,
      algorithm: 'SHA1',
      digits: 6,
      period: periodSeconds,
      secret: Secret.fromBase32(secret),
    });
  function stepOf(person: string, secret: string, code: string): number | null {
    const timestamp = clock.now().getTime();
    const delta = totpOf(person, secret).validate({ token: code, timestamp, window: 1 });
    return delta === null ? null : Math.floor(timestamp / 1000 / periodSeconds) + delta;
  }

  return {
    isOn: policy === 'required',
    of: (person: Person): Promise<SecondFactor | null> => ledger.secondFactors.get(person.user),

    isEnough: (person: Person, stage: SessionStage): boolean =>
      stage === 'code' || (stage === 'password' && !(policy === 'required' && mayDo(person.role, 'operate'))),

    async stageAfterPassword(person: Person): Promise<SessionStage> {
      if (policy === 'off') return 'password';
      if (mayDo(person.role, 'operate')) return 'pending';
      return (await ledger.secondFactors.get(person.user)) ? 'pending' : 'password';
    },

    async enrolment(person: Person, tokenHash: string): Promise<Enrolment> {
      const secret = await ledger.sessions.draft(tokenHash, new Secret({ size: 20 }).base32);
      return { secret, uri: totpOf(person.user, secret).toString() };
    },

    async enrol(person: Person, tokenHash: string, code: string): Promise<string[] | null> {
      const { secret } = await this.enrolment(person, tokenHash);
      const step = stepOf(person.user, secret, plainCode(code));
      if (step === null) return null;
      const codes = recoveryCodes();
      const codeHashes = codes.map((one) => hashOf(person, one));
      const factor = { person: person.user, secret, step, codeHashes, now: clock.now() };
      return (await ledger.secondFactors.enrol(factor)) ? codes : null;
    },

    /** Each code is accepted once; null for a wrong one. */
    async acceptCode(person: Person, code: string): Promise<'code' | null> {
      const factor = await ledger.secondFactors.get(person.user);
      const step = factor && stepOf(person.user, factor.secret, plainCode(code));
      return step !== null && (await ledger.secondFactors.acceptStep(person.user, step)) ? 'code' : null;
    },

    /** Each code is accepted once; null for a wrong one. */
    acceptRecovery: async (person: Person, typed: string): Promise<'recovery' | null> =>
      (await ledger.secondFactors.spendCode(person.user, hashOf(person, typed))) ? 'recovery' : null,

    async renewCodes(person: Person): Promise<string[]> {
      const codes = recoveryCodes();
      await ledger.secondFactors.replaceCodes(
        person.user,
        codes.map((code) => hashOf(person, code)),
      );
      return codes;
    },
  };
}
export type SecondFactors = ReturnType<typeof openSecondFactor>;

const plainCode = (code: string): string => code.replaceAll(/[\s-]/g, '').toLowerCase();

/** 118 bits each, so that a plain hash protects them. */
const recoveryCodes = (): string[] =>
  Array.from({ length: codesAtOnce }, () => {
    const characters = Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)]);
    return characters.join('').replaceAll(/.{4}(?=.)/g, '$&-');
  });

const hashOf = ({ user }: Person, code: string): string =>
  createHash('sha256')
    .update(`${user}\n${plainCode(code)}`)
    .digest('base64url');

const given = z.object({ codigo: z.string().max(60).catch('') });

export function addSecondFactor(
  router: Router,
  deps: Pick<HttpDeps, 'ledger' | 'clock' | 'bodies' | 'log'>,
  { at, sessions, signIn, framedBy, answers, enter, sendSignIn }: EntryParts,
  factors: SecondFactors,
): void {
  const { ledger, clock } = deps;
  const read = formReader(4_096, deps.bodies, 10);
  const go = (res: Response, path: string) => res.redirect(303, at(path));

  /** Has at least given the password; pages before the code have no frame. */
  async function askerOf(req: Request) {
    const whole = await sessions.of(req);
    const signedIn = whole ?? (await sessions.pendingOf(req));
    if (signedIn === null) return null;
    // The answer to a form is not a page of its own: a change of language leads to the form.
    const asked = framedBy(req, whole);
    const frame = req.method === 'POST' ? { ...asked, here: ownPath(backOf(req)) } : asked;
    const page: FactorPage = { frame, back: backOf(req) };
    return { ...signedIn, isWhole: whole !== null, page };
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

  const takeCode = forAsker(async ({ isWhole, page, person }, req, res) => {
    if (isWhole) return go(res, page.back);
    const { codigo } = given.parse(req.body ?? {});
    const by = await signIn.checkCode(
      req,
      person,
      async () => (await factors.acceptCode(person, codigo)) ?? factors.acceptRecovery(person, codigo),
    );
    if (by === 'wrong' || typeof by === 'object') {
      deps.log.warn({ user: person.user }, 'A sign-in had a wrong code after a right password');
      return answers.page(res, page.frame, codeView({ ...page, ...flawOf(res, by) }));
    }
    const { tokenHash } = await enter(req, res, person, by);
    if (by === 'recovery') {
      const left = (await factors.of(person))?.codesLeft ?? 0;
      const message = `Entró con un código de recuperación. ${words.own.left(left)}`;
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

  const enrol = forAsker(async ({ person, tokenHash, page }, req, res) => {
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
    const frame = { ...framedBy(req, signedIn), here: entryPaths.own };
    answers.page(res, frame, codesView({ ...page, frame }, codes));
  });

  const renewCodes = forAsker(async ({ isWhole, person, page }, req, res) => {
    if (!isWhole) return sendSignIn(req, res);
    const factor = factors.isOn ? await factors.of(person) : null;
    if (factor === null) return go(res, entryPaths.own);
    const { codigo } = given.parse(req.body ?? {});
    const answer = await signIn.checkCode(req, person, () => factors.acceptCode(person, codigo));
    if (answer !== 'code') {
      const flawed = { ...page, ...flawOf(res, answer) };
      return answers.page(res, page.frame, ownView(flawed, factor, clock.now()));
    }
    const codes = await factors.renewCodes(person);
    await record('recovery-codes', person);
    answers.page(res, page.frame, codesView(page, codes));
  });

  router.get(entryPaths.code, showCode);
  router.post(entryPaths.code, read, takeCode);
  router.get(entryPaths.own, showOwn);
  router.post(entryPaths.own, read, enrol);
  router.post(entryPaths.codes, read, renewCodes);
}

function flawOf(res: Response, answer: string | { waitSeconds: number }) {
  if (typeof answer === 'string') return { status: 401, flaw: words.code.wrong };
  res.set('Retry-After', String(answer.waitSeconds));
  return { status: 429, flaw: words.code.tooMany };
}

export const withBack = (path: string, back: string): string =>
  back === '' ? path : `${path}?volver=${encodeURIComponent(back)}`;
export const codePath = (back: string): string => withBack(entryPaths.code, back);
const ownPath = (back: string): string => withBack(entryPaths.own, back);

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

const form = ({ frame, back }: FactorPage, path: string, body: Piece, submit: string): Html =>
  entryForm(frame, path, { hidden: { volver: back }, body, submit });

function digits(label: string, isFirst: boolean): Html {
  const more = {
    class: 'key code',
    inputmode: 'numeric',
    autocomplete: 'one-time-code',
    maxlength: 20,
    spellcheck: 'false',
    required: true,
  };
  return field({ name: 'codigo', label, more: { ...more, autofocus: isFirst } });
}

function codeView(page: FactorPage): PanelView {
  const { frame, status, flaw } = page;
  const { code } = words;
  const recovery = field({
    name: 'codigo',
    id: 'recuperacion',
    label: 'Código de recuperación',
    more: { ...asTyped, class: 'key', autocapitalize: 'none', maxlength: 40, required: true },
  });
  return {
    title: 'Escriba su código',
    status,
    flaw,
    body: html`<p>${code.lead}</p>
${form(page, entryPaths.code, digits(code.label, flaw === undefined), code.submit)}
<details class="other"><summary>¿No tiene su teléfono?</summary>
${soft(code.recoverHint)}
${form(page, entryPaths.code, recovery, code.submit)}
<p class="hint">${code.lost}</p></details>
<form class="leave" method="post" action="${frame.at(entryPaths.signOut)}"><button type="submit" class="quiet">Entrar con otro usuario</button></form>`,
  };
}

function enrolView(page: FactorPage, { uri, secret }: Enrolment): PanelView {
  const { status, flaw } = page;
  const { enrol, code, copied } = words;
  return {
    title: 'Active la verificación en dos pasos',
    status,
    flaw,
    body: html`<div class="narrow"><p>${enrol.lead}</p>
<ol class="steps"><li><p>${enrol.install}</p></li>
<li><p>Escanee esta imagen con la aplicación.</p>
${picture(uri, 'Código QR para la aplicación autenticadora')}
<p class="onphone"><a href="${uri}">Abrir en la aplicación de este teléfono</a></p>
${soft('Si no puede escanearla, escriba esta clave en la aplicación:')}
<p>${key((secret.match(/.{1,4}/g) ?? []).join(' '))}</p>
${acts(copyButton(secret, { label: 'Copiar la clave', done: copied, look: 'plain' }))}</li>
<li><p>Escriba el código de seis dígitos que muestra la aplicación.</p>
${form(page, entryPaths.own, digits(code.label, false), 'Activar')}</li></ol>
${ownPassword(page)}</div>`,
  };
}

function codesView({ frame, back }: FactorPage, codes: readonly string[]): PanelView {
  const copy = { label: 'Copiar los códigos', done: words.copied, look: 'plain' } as const;
  return {
    title: 'Guarde sus códigos de recuperación',
    body: html`<div class="narrow"><p>${words.codes}</p>
<ul class="codes key">${codes.map((code) => html`<li>${code}</li>`)}</ul>
${acts(copyButton(codes.join('\n'), copy))}
${acts(link(frame, back, 'Ya los guardé: continuar', { look: 'button' }))}</div>`,
  };
}

function ownView(page: FactorPage, factor: SecondFactor | null, now: Date): PanelView {
  const { status, flaw } = page;
  const { own, code } = words;
  const state = factor
    ? html`<p>Está activa desde el ${moment(factor.enrolledAt, { now })}. ${own.left(factor.codesLeft)}</p>
<h3>Nuevos códigos de recuperación</h3>${soft(own.renewHint)}
${form(page, entryPaths.codes, digits(code.label, false), 'Generar códigos nuevos')}`
    : html`<p>${own.off}</p>`;
  return {
    title: 'Seguridad',
    status,
    flaw,
    body: html`<div class="narrow">
<section class="card"><h2>Verificación en dos pasos</h2>
${state}</section>
${ownPassword(page)}</div>`,
  };
}

const ownPassword = ({ frame }: FactorPage): Piece =>
  frame.person && passwordSection(frame, frame.person.user);

/** Dark on light in every colour scheme, with the margin cameras need. */
function picture(uri: string, label: string): Html {
  const { data, size } = encode(uri, { border: 4 });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}" fill="#000"/></svg>`;
}

const words = {
  code: {
    lead: 'Abra la aplicación autenticadora de su teléfono y escriba el código que muestra para facturapuente.',
    label: 'Código de seis dígitos',
    submit: 'Entrar',
    recoverHint:
      'Escriba uno de los códigos de recuperación que guardó al activar la verificación. Cada uno sirve una sola vez.',
    lost: 'Si tampoco los tiene, pida a quien administra facturapuente que restablezca su verificación en dos pasos.',
    wrong: 'El código no es correcto o ya se usó. Espere el siguiente y escríbalo.',
    tooMany:
      'Hubo demasiados códigos incorrectos. Espere al menos quince minutos antes de volver a intentarlo.',
  },
  enrol: {
    lead: 'Para entrar hará falta su contraseña y, además, un código de su teléfono. Así, quien conozca solo su contraseña no puede entrar.',
    install:
      'Instale en su teléfono una aplicación autenticadora, por ejemplo Google Authenticator, Microsoft Authenticator o Aegis.',
    wrong:
      'El código no coincide. Revise que la hora del teléfono sea la correcta y escriba el código que muestra ahora.',
  },
  codes:
    'Sirven para entrar cuando no tenga su teléfono; cada uno, una sola vez. Imprímalos o guárdelos donde guarda sus contraseñas: no se vuelven a mostrar.',
  own: {
    left: (n: number) =>
      `${n === 1 ? 'Le queda' : 'Le quedan'} ${plural(n, 'código', 'códigos')} de recuperación.`,
    renewHint: 'Los anteriores dejan de servir. Confirme con el código que muestra ahora su aplicación.',
    off: 'La configuración no la usa (panel.secondFactor: off): para entrar basta la contraseña.',
  },
  copied: 'Copiado.',
};
