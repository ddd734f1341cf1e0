import type { Response, Router } from 'express';
import { z } from 'zod';
import { FacturapuenteError } from '../domain/errors.ts';
import type { Letter } from '../domain/ports.ts';
import type { Person } from '../domain/settings.ts';
import type { HttpDeps } from '../http/deps.ts';
import { clientOf, formReader } from '../http/endpoints.ts';
import { factorPaths } from './factor-words.ts';
import { busySeconds, inQueue, openFailures, waitSeconds } from './guesses.ts';
import { changeView, forgottenView, goneView, renewedView, renewView, sentView } from './password-page.ts';
import { lettersForName, linkMinutes, passwordPaths, passwordWords } from './password-words.ts';
import { hashPassword, passwordFlaw, passwordMark } from './people.ts';
import type { EntryParts } from './second-factor.ts';

const minute = 60_000;
const withinMs = 60 * minute;
const lettersForClient = 10;

const user = z.string().max(80).catch('');
const typed = z.string().max(1_000).catch('');
const fresh = { nueva: typed, repetida: typed };
const change = z.object({ actual: typed, ...fresh });
const forgotten = z.object({ usuario: user });
const link = z.object({ usuario: user, ficha: z.string().max(60).catch('') });
const renewal = link.extend(fresh);

/** A new password has another mark, so a ticket works once. */
const useOf = (person: Person): string => `password reset\n${person.user}\n${passwordMark(person)}`;

export function addPasswords(router: Router, deps: HttpDeps, parts: EntryParts): void {
  const { ledger, clock, tickets, mailer, log } = deps;
  const { root, people, sessions, signIn, framedBy, answers, sendSignIn } = parts;
  const { flaws, own } = passwordWords;
  const read = formReader(8_192, deps.bodies, 10);
  const failures = openFailures(deps);

  /** null where the password of the person is another one by now; `busy`: the queue has no place. */
  async function replace(person: Person, password: string, what: 'password-changed' | 'password-reset') {
    const hash = await inQueue('known', () => hashPassword(password));
    return hash === null ? 'busy' : people.replacePassword(person, hash, what);
  }

  router.post(passwordPaths.change, read, async (req, res) => {
    const signedIn = await sessions.of(req);
    if (signedIn === null) return sendSignIn(req, res);
    const { user } = signedIn.person;
    const { actual, nueva, repetida } = change.parse(req.body ?? {});
    const refuse = (status: number, flaw: string) => {
      const frame = { ...framedBy(req, signedIn), here: factorPaths.own };
      answers.page(res, frame, changeView(root, user, { back: factorPaths.own, status, flaw }));
    };
    const flaw = flawOf(nueva, repetida) ?? (nueva === actual ? flaws.same : null);
    if (flaw !== null) return refuse(422, flaw);
    const person = await signIn.check(req, user, actual);
    if (person === 'wrong') {
      log.warn({ user }, 'A change of a password had a wrong present one');
      return refuse(401, flaws.present);
    }
    if (person === 'too-many' || person === 'busy') return refuse(later(res, person), flaws[person]);
    const changed = await replace(person, nueva, 'password-changed');
    if (changed === 'busy') return refuse(later(res, changed), flaws.busy);
    if (changed === null) return sendSignIn(req, res);
    const { tokenHash } = await sessions.renew(req, res, changed, signedIn);
    signIn.remember(req, res, changed);
    await ledger.sessions.notify(tokenHash, own.changed);
    res.redirect(303, `${root}/panel${factorPaths.own}`);
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
    const address = `${new URL(deps.settings.publicUrl).origin}${root}/panel${passwordPaths.renewed}?${query}`;
    await mailer.send(letterTo(person.email, name, address));
  }

  // `sendSignIn` would lead back here.
  const toSignIn = (res: Response) => res.redirect(303, `${root}/panel/entrar`);
  router.get(passwordPaths.forgotten, async (req, res) => {
    if (!mailer) return toSignIn(res);
    answers.page(res, framedBy(req, null), forgottenView(root));
  });

  router.post(passwordPaths.forgotten, read, async (req, res) => {
    if (!mailer) return toSignIn(res);
    const { usuario } = forgotten.parse(req.body ?? {});
    const isWithin = await mayAsk(usuario, clientOf(req));
    // Answered before anything depends on the name.
    answers.page(res, framedBy(req, null), sentView(root));
    if (!isWithin) return;
    // Errors of a mailer may quote the address.
    await sendLetter(usuario).catch((error: unknown) => {
      const code = error instanceof FacturapuenteError ? error.code : 'unknown';
      log.error({ code }, 'A person who forgot the password got no letter');
    });
  });

  /** null where it is not, or no longer, a valid link. */
  async function personOf({ usuario, ficha }: z.output<typeof link>): Promise<Person | null> {
    const { person } = await people.find(usuario);
    return person && tickets.admits(useOf(person), ficha) ? person : null;
  }
  // Its address is a secret, so that it is sent to nobody. Browsers say in Sec-Fetch-Site whose form it is.
  const hideAddress = (res: Response) => res.set('Referrer-Policy', 'no-referrer');

  router.get(passwordPaths.renewed, async (req, res) => {
    hideAddress(res);
    const asked = link.parse(Object.fromEntries(new URL(req.url, 'http://panel').searchParams));
    const view = (await personOf(asked)) ? renewView(root, asked) : goneView(root);
    answers.page(res, framedBy(req, null), view);
  });

  router.post(passwordPaths.renewed, read, async (req, res) => {
    hideAddress(res);
    const { nueva, repetida, ...asked } = renewal.parse(req.body ?? {});
    const frame = framedBy(req, null);
    const person = await personOf(asked);
    if (person === null) return answers.page(res, frame, goneView(root));
    const flaw = flawOf(nueva, repetida);
    if (flaw !== null) return answers.page(res, frame, renewView(root, asked, { status: 422, flaw }));
    const changed = await replace(person, nueva, 'password-reset');
    if (changed === 'busy') {
      const flawed = { status: later(res, changed), flaw: flaws.busy };
      return answers.page(res, frame, renewView(root, asked, flawed));
    }
    answers.page(res, frame, changed === null ? goneView(root) : renewedView(root));
  });
}

function flawOf(password: string, again: string): string | null {
  const flaw = passwordFlaw(password);
  if (flaw) return flaw.merchant;
  return password === again ? null : passwordWords.flaws.different;
}

function later(res: Response, why: 'busy' | 'too-many'): 429 {
  res.set('Retry-After', String(why === 'busy' ? busySeconds : waitSeconds));
  return 429;
}

function letterTo(address: string, user: string, link: string): Letter {
  const { letter } = passwordWords;
  return {
    to: [address],
    subject: letter.subject,
    text: [letter.asked(user), link, letter.lasts, letter.ignore].join('\n\n'),
  };
}
