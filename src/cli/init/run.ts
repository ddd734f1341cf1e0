import { randomBytes } from 'node:crypto';
import { access, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { parseEnv } from 'node:util';
import { cancel, intro, isCancel, note, password, select, text } from '@clack/prompts';
import { parse } from 'yaml';
import { openSettings } from '../../app/settings.ts';
import { type Config, disguiseReferences, parseConfig, uncoverReferences } from '../../config/load.ts';
import { ConfigError } from '../../domain/errors.ts';
import { rimpeCaveats } from '../../messages/checks.ts';
import { hashPassword, leastCharacters, passwordFlaw } from '../../panel/people.ts';
import { looksLikeCompany } from '../../setup/issuer.ts';
import { configText } from './config-text.ts';
import { type Answers, envValue, flagOf, problemWith, type Question, questions } from './questions.ts';

const file = 'facturapuente.config.yaml';
const otherNames = ['yml', 'json', 'ts'].map((ending) => `facturapuente.config.${ending}`);

export interface InitOptions {
  folder: string;
  given: Answers;
  yes: boolean;
  force: boolean;
  terminal: Terminal | null;
}

export interface Initialized {
  written: string[];
  lacking: string[];
  panel: { url: string; user: string; password: string | null };
  caveats: string[];
}

/** Throws ConfigError where a config exists, or an answer is missing or wrong. */
export async function init({ folder, given, yes, force, terminal }: InitOptions): Promise<Initialized> {
  if (!force) await refuseExisting(folder);
  refuseWrong(given);
  if (!yes && terminal === null) throw new ConfigError('input-invalid', { why: 'terminal' });
  const asks = yes ? null : terminal;
  const answers = asks === null ? withDefaults(given) : await askAll(given, asks);
  const { panelUser: user = '' } = answers;
  const password =
    user === '' ? null : asks === null ? randomBytes(12).toString('hex') : await askPassword(asks);
  if (asks !== null && answers.ambiente === '1')
    note('Queda en ambiente 1: pruebas, gratis y sin valor tributario.', 'Ambiente', asks);
  const person = password === null ? null : { user, passwordHash: await hashPassword(password) };
  const text = configText(answers, person);
  const variables = variablesOf(answers);
  const { publicUrl } = await verify(text, join(folder, file), variables);
  const { example, own } = envTexts(variables);
  await put(join(folder, file), text);
  await put(join(folder, '.env.example'), example);
  const written = [file, '.env.example'];
  const env = join(folder, '.env');
  // An existing .env is never changed.
  if (await writeFile(env, own, { mode: 0o600, flag: 'wx' }).then(yesWritten, ifThere)) written.push('.env');
  return {
    written,
    lacking: lackingIn(await readFile(env, 'utf8'), variables),
    panel: { url: `${publicUrl}/panel`, user, password: asks === null ? password : null },
    caveats: answers.regimen === 'rimpe-popular' ? rimpeCaveats(looksLikeCompany(answers.ruc ?? '')) : [],
  };
}

const yesWritten = () => true;
function ifThere(error: NodeJS.ErrnoException): boolean {
  if (error.code === 'EEXIST') return false;
  throw error;
}

async function refuseExisting(folder: string): Promise<void> {
  for (const name of [file, ...otherNames]) {
    const there = await access(join(folder, name)).then(yesWritten, () => false);
    if (there) throw new ConfigError('init-exists', { file: name, folder });
  }
}

function refuseWrong(given: Answers): void {
  const wrong = questions.flatMap((question) => {
    const value = given[question.id];
    const problem = value === undefined ? undefined : problemWith(question, value);
    return problem === undefined ? [] : [`  - ${flagOf(question.id)}: ${problem}`];
  });
  if (wrong.length === 0) return;
  const list = wrong.join('\n');
  throw new ConfigError('input-invalid', { why: 'answers', list });
}

function withDefaults(given: Answers): Answers {
  const answers: Record<string, string> = { ...given };
  const missing: string[] = [];
  for (const { id, initial, when, hint } of questions) {
    if (answers[id] !== undefined || when?.(answers) === false) continue;
    const value = initial?.(answers);
    if (value === undefined) missing.push(`  - ${flagOf(id)} (${hint})`);
    else answers[id] = value;
  }
  if (missing.length === 0) return answers;
  const list = missing.join('\n');
  throw new ConfigError('input-invalid', { why: 'answers', list });
}

async function verify(text: string, path: string, variables: readonly Variable[]): Promise<Config> {
  const value = parse(disguiseReferences(text), (_key, one) => uncoverReferences(one));
  const env = Object.fromEntries(variables.map(({ name, value: known }) => [name, known || sample(name)]));
  const config = parseConfig(value, { file: path, env });
  await openSettings(config);
  return config;
}

const sample = (name: string) =>
  `${name === 'WOO_CONSUMER_KEY' ? 'ck_' : name === 'WOO_CONSUMER_SECRET' ? 'cs_' : ''}${randomBytes(20).toString('hex')}`;

async function put(path: string, text: string): Promise<void> {
  const draft = join(path, '..', `.${basename(path)}.${process.pid}`);
  await writeFile(draft, text, { flag: 'wx' });
  await rename(draft, path);
}

interface Terminal {
  input?: Readable;
  output?: Writable;
}

/** Throws ConfigError `nothing-to-do` on Ctrl+C. */
async function askAll(given: Answers, terminal: Terminal): Promise<Answers> {
  intro('facturapuente: configuración de una tienda', terminal);
  const answers: Record<string, string> = { ...given };
  for (const question of questions) {
    if (answers[question.id] !== undefined || question.when?.(answers) === false) continue;
    answers[question.id] = question.quiet
      ? (question.initial?.(answers) ?? '')
      : await askOne(question, answers, terminal);
  }
  return answers;
}

async function askPassword(terminal: Terminal): Promise<string> {
  for (;;) {
    const first = await askHidden(
      `Contraseña para el panel, de ${leastCharacters} caracteres o más`,
      (value) => passwordFlaw(value)?.merchant,
      terminal,
    );
    if ((await askHidden('La misma contraseña otra vez', () => undefined, terminal)) === first) return first;
    note('Las dos contraseñas no son iguales: escríbalas otra vez.', 'Contraseña', terminal);
  }
}

async function askHidden(
  message: string,
  problem: (value: string) => string | undefined,
  terminal: Terminal,
): Promise<string> {
  const answer = await password({ message, validate: (value) => problem(value ?? ''), ...terminal });
  return orStop(answer, terminal) ?? '';
}

async function askOne(question: Question, answers: Answers, terminal: Terminal): Promise<string> {
  const { ask: message, hint, choices, initial, variable } = question;
  if (variable !== undefined)
    return askHidden(`${message} (vacío: luego en .env)`, (value) => problemWith(question, value), terminal);
  const initialValue = initial?.(answers);
  if (choices) {
    const options = choices.map(({ value, label }) => ({ value, label }));
    const chosen = await select({
      message,
      options,
      showInstructions: false,
      ...(initialValue ? { initialValue } : {}),
      ...terminal,
    });
    return orStop(chosen, terminal);
  }
  const said = await text({
    message,
    placeholder: hint,
    ...(initialValue ? { initialValue } : {}),
    validate: (value) => problemWith(question, (value ?? '').trim()),
    ...terminal,
  });
  return (orStop(said, terminal) ?? '').trim();
}

function orStop<T>(answer: T, terminal: Terminal): Exclude<T, symbol> {
  if (!isCancel(answer)) return answer as Exclude<T, symbol>;
  cancel('No se escribió nada.', terminal);
  throw new ConfigError('nothing-to-do', { why: 'stopped' });
}

interface Variable {
  name: string;
  comment: string;
  value: string;
}

function variablesOf(answers: Answers): Variable[] {
  const asked = questions.flatMap(({ id, variable: name, ask, hint, when }) =>
    name === undefined || when?.(answers) === false
      ? []
      : [{ name, comment: `${ask}: ${hint}.`, value: answers[id] ?? '' }],
  );
  const webhook = {
    name: 'FACTURA_WEBHOOK_SECRET',
    comment:
      'Firma los avisos del servicio; lo inventa usted (openssl rand -base64 32) e «install» lo registra.',
    value: randomBytes(36).toString('base64url'),
  };
  return [...asked, webhook];
}

function envTexts(variables: readonly Variable[]): { example: string; own: string } {
  const text = (head: string, shown: (value: string) => string) =>
    [head, ...variables.map(({ name, comment, value }) => `# ${comment}\n${name}=${shown(value)}`), ''].join(
      '\n',
    );
  return {
    example: text('# Copie este archivo como .env y complételo; .env nunca va a un repositorio.', () => ''),
    own: text(
      '# Secretos de facturapuente: no los comparta ni los suba a un repositorio.',
      (value) => envValue(value) ?? '',
    ),
  };
}

function lackingIn(env: string, variables: readonly Variable[]): string[] {
  const values = parseEnv(env);
  return variables.flatMap(({ name }) => (values[name] ? [] : [name]));
}

export function nextSteps({ written, lacking, panel, caveats }: Initialized): string {
  const isKept = !written.includes('.env');
  const steps = [
    ...(lacking.length > 0 ? [`Complete en .env: ${lacking.join(', ')}.`] : []),
    '«facturapuente start», y déjelo en marcha.',
    '«facturapuente install --check» muestra qué falta.',
    '«facturapuente install» lo hace.',
    panelStep(panel),
  ];
  return [
    `Se escribió ${written.join(', ')}.${isKept ? ' Su .env quedó como estaba.' : ''}`,
    '',
    ...steps.map((step, at) => `${at + 1}. ${step}`),
    '',
    ...caveats.flatMap((caveat) => [`Atención: ${caveat}`, '']),
  ].join('\n');
}

function panelStep({ url, user, password }: Initialized['panel']): string {
  if (user === '')
    return `Para entrar al panel, ${url}, agregue un usuario en panel.users; «facturapuente hash-password» pide su contraseña.`;
  const made = password === null ? '' : `\n   Contraseña, que no se vuelve a mostrar: ${password}`;
  return `El panel: ${url}\n   Usuario: ${user}${made}`;
}
