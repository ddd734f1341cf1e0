import type { Request, Response, Router } from 'express';
import { z } from 'zod';
import { html } from '../domain/text.ts';
import type { HttpDeps } from '../http/deps.ts';
import { clientOf, formReader } from '../http/endpoints.ts';
import { entryForm, link, warning } from './components.ts';
import type { EntryParts } from './frame.ts';
import { refuseGuess } from './guesses.ts';
import { passwordField, userField } from './password.ts';
import type { SecondFactors } from './second-factor.ts';
import { backOf, codePath } from './second-factor.ts';
import { entryPaths } from './sessions.ts';
import type { PanelView } from './visit.ts';

const given = z.object({
  usuario: z.string().max(80).catch(''),
  clave: z.string().max(1_000).catch(''),
});

export function addSignIn(
  router: Router,
  { log, bodies, mailer }: Pick<HttpDeps, 'log' | 'bodies' | 'mailer'>,
  { at, cookies, sessions, signIn, framedBy, answers, enter }: EntryParts,
  factors: Pick<SecondFactors, 'stageAfterPassword'>,
): void {
  const read = formReader(4_096, bodies, 10);
  const show = (req: Request, res: Response, more: Partial<SignInForm> = {}) => {
    const form = { at, back: backOf(req), kept: cookies.kept, isMailed: mailer !== null, ...more };
    answers.page(res, framedBy(req, null), signInView(form));
  };

  router.get(entryPaths.signIn, async (req, res) => {
    if (await sessions.of(req)) return res.redirect(303, at(backOf(req)));
    show(req, res);
  });

  router.post(entryPaths.signIn, read, async (req, res) => {
    const { usuario: user, clave } = given.parse(req.body ?? {});
    const person = await signIn.check(req, user, clave);
    if (person === 'too-many' || person === 'busy')
      return show(req, res, { ...refuseGuess(res, person), user });
    if (person === 'wrong') {
      log.warn({ path: req.baseUrl, client: clientOf(req) }, 'A sign-in had a wrong password');
      return show(req, res, { status: 401, flaw: 'El usuario o la contraseña no son correctos.', user });
    }
    if ((await factors.stageAfterPassword(person)) === 'pending') {
      await sessions.begin(req, res, person, 'pending');
      return res.redirect(303, at(codePath(backOf(req))));
    }
    await enter(req, res, person, 'password');
    res.redirect(303, at(backOf(req)));
  });
}

interface SignInForm extends Pick<EntryParts, 'at'> {
  back: string;
  kept: boolean;
  /** Whether a person who forgot the password can ask for a letter. */
  isMailed: boolean;
  status?: number;
  flaw?: string;
  user?: string;
}

function signInView({ at, back, kept, isMailed, status, flaw, user }: SignInForm): PanelView {
  const body = html`${userField(user)}${passwordField('clave', 'Contraseña', 'current-password')}`;
  return {
    title: 'Entrar al panel',
    status,
    flaw,
    body: html`${!kept && warning(words.insecure)}${entryForm({ at }, entryPaths.signIn, { hidden: { volver: back }, body, submit: 'Entrar' })}
${isMailed && html`<p class="hint">${link({ at }, entryPaths.forgotten, '¿Olvidó su contraseña?')}</p>`}`,
  };
}

const words = {
  insecure:
    'El panel necesita una dirección https: la de publicUrl es http, y con ella el navegador no guarda la sesión.',
};
