import type { Response, Router } from 'express';
import { z } from 'zod';
import { FacturapuenteError } from '../domain/errors.ts';
import type { Letter } from '../domain/ports.ts';
import type { Person } from '../domain/settings.ts';
import { type Html, html } from '../domain/text.ts';
import type { HttpDeps } from '../http/deps.ts';
import { clientOf, formReader } from '../http/endpoints.ts';
import { acts, asTyped, entryForm, field, link, soft } from './components.ts';
import type { EntryParts } from './frame.ts';
import { inQueue, openFailures, refuseGuess } from './guesses.ts';
import { hashPassword, leastCharacters, passwordFlaw, passwordMark } from './people.ts';
import { entryPaths } from './sessions.ts';
import type { PanelView } from './visit.ts';

const minute = 60_000;
const withinMs = 60 * minute;
const linkMinutes = 30;
const lettersForClient = 10;
const lettersForName = 3;

const user = z.string().max(80).catch('');
const typed = z.string().max(1_000).catch('');
const fresh = { nueva: typed, repetida: typed };
const change = z.object({ actual: typed, ...fresh });
const forgotten = z.object({ usuario: user });
const asLinked = z.object({ usuario: user, ficha: z.string().max(60).catch('') });
const renewal = asLinked.extend(fresh);

/** A new password has another mark, so a ticket works once. */
const useOf = (person: Person): string => `password reset\n${person.user}\n${passwordMark(person)}`;

export function addPasswords(router: Router, deps: HttpDeps, parts: EntryParts): void {
  const { ledger, clock, tickets, mailer, log } = deps;
  const { at, people, sessions, signIn, framedBy, answers, sendSignIn } = parts;
  const read = formReader(8_192, deps.bodies, 10);
  const failures = openFailures(deps);

  /** null where the password of the person is another one by now; `busy`: the queue has no place. */
  async function replace(person: Person, password: string, what: 'password-changed' | 'password-reset') {
    const hash = await inQueue('known', () => hashPassword(password));
    return hash === null ? 'busy' : people.replacePassword(person, hash, what);
  }

  router.post(entryPaths.change, read, async (req, res) => {
    const signedIn = await sessions.of(req);
    if (signedIn === null) return sendSignIn(req, res);
    const { user } = signedIn.person;
    const { actual, nueva, repetida } = change.parse(req.body ?? {});
    const refuse = (flawed: Flawed) => {
      const frame = { ...framedBy(req, signedIn), here: entryPaths.own };
      answers.page(res, frame, changeView({ at }, user, flawed));
    };
    const flaw =
      flawOf(nueva, repetida) ?? (nueva === actual ? 'La contraseña nueva es la misma que la actual.' : null);
    if (flaw !== null) return refuse({ status: 422, flaw });
    const person = await signIn.check(req, user, actual);
    if (person === 'wrong') {
      log.warn({ user }, 'A change of a password had a wrong present one');
      return refuse({ status: 401, flaw: 'La contraseña actual no es correcta.' });
    }
    if (person === 'too-many' || person === 'busy') return refuse(refuseGuess(res, person));
    const changed = await replace(person, nueva, 'password-changed');
    if (changed === 'busy') return refuse(refuseGuess(res, changed));
    if (changed === null) return sendSignIn(req, res);
    const { tokenHash } = await sessions.renew(req, res, changed, signedIn);
    signIn.remember(req, res, changed);
    await ledger.sessions.notify(tokenHash, 'Su contraseña se cambió, y sus demás sesiones terminaron.');
    res.redirect(303, at(entryPaths.own));
  });

  /** Counted for every name, so that it reveals none. */
  async function mayAsk(name: string, client: string): Promise<boolean> {
    const ofClient = await failures.count({ bucket: ['letters to client', client], withinMs });
    if (ofClient.count > lettersForClient) return false;
    const ofName = await failures.count({ bucket: ['letters to name', name], withinMs });
    return ofName.count <= lettersForName;
  }

  async function sendLetter(name: string): Promise<void> {
    const { person } = await people.find(name);
    if (!mailer || person?.email === undefined) return;
    const until = new Date(clock.now().getTime() + linkMinutes * minute);
    const query = new URLSearchParams({ usuario: name, ficha: tickets.issue(useOf(person), until) });
    const address = `${new URL(deps.settings.publicUrl).origin}${at(entryPaths.renewed)}?${query}`;
    await mailer.send(letterTo(person.email, name, address));
  }

  // `sendSignIn` would lead back here.
  const toSignIn = (res: Response) => res.redirect(303, at(entryPaths.signIn));
  router.get(entryPaths.forgotten, async (req, res) => {
    if (!mailer) return toSignIn(res);
    answers.page(res, framedBy(req, null), forgottenView({ at }));
  });

  router.post(entryPaths.forgotten, read, async (req, res) => {
    if (!mailer) return toSignIn(res);
    const { usuario } = forgotten.parse(req.body ?? {});
    const isWithin = await mayAsk(usuario, clientOf(req));
    // Answered before anything depends on the name.
    answers.page(res, framedBy(req, null), sentView({ at }));
    if (!isWithin) return;
    // Errors of a mailer may quote the address.
    await sendLetter(usuario).catch((error: unknown) => {
      const code = error instanceof FacturapuenteError ? error.code : 'unknown';
      log.error({ code }, 'A person who forgot the password got no letter');
    });
  });

  /** null where it is not, or no longer, a valid link. */
  async function personOf({ usuario, ficha }: z.output<typeof asLinked>): Promise<Person | null> {
    const { person } = await people.find(usuario);
    return person && tickets.admits(useOf(person), ficha) ? person : null;
  }
  // Its address is a secret, so that it is sent to nobody. Browsers say in Sec-Fetch-Site whose form it is.
  const hideAddress = (res: Response) => res.set('Referrer-Policy', 'no-referrer');

  router.get(entryPaths.renewed, async (req, res) => {
    hideAddress(res);
    const asked = asLinked.parse(Object.fromEntries(new URL(req.url, 'http://panel').searchParams));
    const view = (await personOf(asked)) ? renewView({ at }, asked) : goneView({ at });
    answers.page(res, framedBy(req, null), view);
  });

  router.post(entryPaths.renewed, read, async (req, res) => {
    hideAddress(res);
    const { nueva, repetida, ...asked } = renewal.parse(req.body ?? {});
    const frame = framedBy(req, null);
    const person = await personOf(asked);
    if (person === null) return answers.page(res, frame, goneView({ at }));
    const flaw = flawOf(nueva, repetida);
    if (flaw !== null) return answers.page(res, frame, renewView({ at }, asked, { status: 422, flaw }));
    const changed = await replace(person, nueva, 'password-reset');
    if (changed === 'busy')
      return answers.page(res, frame, renewView({ at }, asked, refuseGuess(res, changed)));
    answers.page(res, frame, changed === null ? goneView({ at }) : renewedView({ at }));
  });
}

function flawOf(password: string, again: string): string | null {
  const flaw = passwordFlaw(password);
  if (flaw) return flaw.merchant;
  return password === again ? null : 'Las dos contraseñas nuevas no coinciden.';
}

function letterTo(address: string, user: string, renewal: string): Letter {
  const { letter } = words;
  return {
    to: [address],
    subject: 'Su contraseña del panel de facturapuente',
    text: [letter.asked(user), renewal, letter.lasts, letter.ignore].join('\n\n'),
  };
}

type Addresses = Pick<EntryParts, 'at'>;

interface Flawed {
  status: number;
  flaw: string;
}

export const passwordField = (name: string, label: string, autocomplete: string, hint?: string): Html =>
  field({ name, label, type: 'password', hint, more: { maxlength: 1000, autocomplete, required: true } });

export function userField(value?: string): Html {
  const more = {
    ...asTyped,
    maxlength: 80,
    autocomplete: 'username',
    autocapitalize: 'none',
    required: true,
  };
  return field({ name: 'usuario', label: 'Usuario', value, more });
}

const freshFields = ({ fresh, again, hint } = words.own): Html =>
  html`${passwordField('nueva', fresh, 'new-password', hint)}${passwordField('repetida', again, 'new-password')}`;

/** Password managers need the name. */
const hiddenUser = (user: string): Html =>
  html`<input type="text" name="usuario" value="${user}" autocomplete="username" readonly hidden>`;

function changeForm(to: Addresses, user: string): Html {
  const { present, submit } = words.own;
  const body = html`${hiddenUser(user)}${passwordField('actual', present, 'current-password')}${freshFields()}`;
  return entryForm(to, entryPaths.change, { body, submit });
}

/** A part of the person's own page. */
export const passwordSection = (to: Addresses, user: string): Html =>
  html`<section class="card"><h2>Contraseña</h2>${soft('Al cambiarla terminan sus demás sesiones.')}
${changeForm(to, user)}</section>`;

const changeView = (to: Addresses, user: string, flawed: Flawed): PanelView => ({
  title: 'La contraseña no se cambió',
  ...flawed,
  back: [entryPaths.own, 'Volver a Seguridad'],
  body: html`<div class="narrow"><section class="card">${changeForm(to, user)}</section></div>`,
});

const signInLink = (to: Addresses): Html =>
  html`<p class="hint">${link(to, entryPaths.signIn, 'Volver al inicio de sesión')}</p>`;

const forgottenView = (to: Addresses): PanelView => ({
  title: 'Pida una contraseña nueva',
  body: html`<p>${words.forgotten.lead}</p>
${entryForm(to, entryPaths.forgotten, { body: userField(), submit: 'Enviar el enlace' })}
${signInLink(to)}`,
});

/** The same page for every name, so that it reveals none. */
const sentView = (to: Addresses): PanelView => ({
  title: 'Revise su correo',
  body: html`<p>${words.forgotten.sent}</p><p>${words.forgotten.none}</p>${signInLink(to)}`,
});

function renewView(to: Addresses, { usuario, ficha }: z.output<typeof asLinked>, flawed?: Flawed): PanelView {
  const body = html`${hiddenUser(usuario)}${freshFields()}`;
  return {
    title: 'Escriba su contraseña nueva',
    ...flawed,
    body: html`<p>${words.renewed.lead(usuario)}</p>
${entryForm(to, entryPaths.renewed, { hidden: { ficha }, body, submit: 'Guardar la contraseña' })}`,
  };
}

const renewedView = (to: Addresses): PanelView => ({
  title: 'La contraseña se cambió',
  body: html`<p>${words.renewed.doneLead}</p>
${acts(link(to, entryPaths.signIn, 'Entrar al panel', { look: 'button' }))}`,
});

const goneView = (to: Addresses): PanelView => ({
  title: 'Este enlace ya no sirve',
  status: 410,
  body: html`<p>${words.renewed.goneLead}</p>
${acts(link(to, entryPaths.forgotten, 'Pedir otro enlace', { look: 'button' }))}`,
});

const words = {
  own: {
    present: 'Contraseña actual',
    fresh: 'Contraseña nueva',
    again: 'Repita la contraseña nueva',
    hint: `${leastCharacters} caracteres o más; puede ser una frase.`,
    submit: 'Cambiar la contraseña',
  },
  forgotten: {
    lead: 'Escriba su usuario. Le enviaremos un enlace al correo que tiene en la configuración de facturapuente.',
    sent: `Si ese usuario existe y tiene un correo, le llegará un enlace que sirve ${linkMinutes} minutos. Revise también el correo no deseado.`,
    none: `En una hora se envían hasta ${lettersForName}. Si no llega ninguno, pida una contraseña nueva a quien administra facturapuente.`,
  },
  renewed: {
    lead: (user: string) => `Para el usuario ${user}. Todas sus sesiones terminarán.`,
    doneLead:
      'Entre con su contraseña nueva. Si usa la verificación en dos pasos, también le hará falta su código.',
    goneLead: `El enlace sirve ${linkMinutes} minutos y una sola vez. Si ya se usó o venció, o si su contraseña cambió después, pida otro.`,
  },
  letter: {
    asked: (user: string) =>
      `Alguien pidió una contraseña nueva para el usuario «${user}» del panel de facturapuente. Si fue usted, escríbala aquí:`,
    lasts: `El enlace sirve ${linkMinutes} minutos y una sola vez. No lo comparta: quien lo abre puede cambiar su contraseña.`,
    ignore: 'Si no lo pidió, no haga nada: su contraseña sigue siendo la misma.',
  },
};
