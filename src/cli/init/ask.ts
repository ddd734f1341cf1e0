import type { Readable, Writable } from 'node:stream';
import { cancel, intro, isCancel, note, password, select, text } from '@clack/prompts';
import { ConfigError } from '../../domain/errors.ts';
import { type Answers, problemWith, type Question, questions } from './questions.ts';

/** Where the questions are asked; the terminal unless a test brings its own. */
export interface Terminal {
  input?: Readable;
  output?: Writable;
}

/** Asks whatever `given` does not say already. Throws ConfigError `init-stopped` on Ctrl+C. */
export async function askAll(
  given: Answers,
  terminal: Terminal = {},
): Promise<{ answers: Answers; apiKey: string }> {
  intro('facturapuente: configuración de una tienda', terminal);
  const answers: Record<string, string> = { ...given };
  for (const question of questions) {
    if (answers[question.id] !== undefined || question.when?.(answers) === false) continue;
    answers[question.id] = question.quiet
      ? (question.initial?.(answers) ?? '')
      : await askOne(question, answers, terminal);
  }
  const apiKey = await password({
    message: 'Clave de API del servicio (vacío: la escribe luego en .env)',
    ...terminal,
  });
  if (answers.ambiente === '1')
    note('Queda en ambiente 1: pruebas, gratis y sin valor tributario.', 'Ambiente', terminal);
  return { answers, apiKey: orStop(apiKey, terminal) ?? '' };
}

async function askOne(question: Question, answers: Answers, terminal: Terminal): Promise<string> {
  const { ask: message, hint, choices, initial } = question;
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
  throw new ConfigError(
    'init-stopped',
    'Se detuvo antes de terminar; no se escribió nada.',
    'init was cancelled.',
  );
}
