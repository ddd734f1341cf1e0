import type { Demo } from './run.ts';

/** Signs in as the form of the panel does; answers the cookies. */
export async function signIn({ url, user }: Demo): Promise<string[]> {
  const form = { usuario: user.name, clave: user.password, volver: '' };
  const { headers } = await send(`${url}/panel/entrar`, form, { origin: url });
  return headers.getSetCookie();
}

/** Closes a day (2026-11-20, in Ecuador) as its button in the panel does. */
export async function closeDay(demo: Demo, day: string): Promise<void> {
  const cookies = await signIn(demo);
  const cookie = cookies.map((one) => one.split(';')[0]).join('; ');
  await send(`${demo.url}/panel/cierre/guardar`, { dia: day }, { origin: demo.url, cookie });
}

async function send(
  to: string,
  form: Record<string, string>,
  headers: Record<string, string>,
): Promise<Response> {
  const answer = await fetch(to, {
    method: 'POST',
    redirect: 'manual',
    headers,
    body: new URLSearchParams(form),
  });
  await answer.body?.cancel();
  if (answer.status !== 303) throw new Error(`${to} answered ${answer.status}.`);
  return answer;
}
