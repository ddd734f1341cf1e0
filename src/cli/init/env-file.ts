import { randomBytes } from 'node:crypto';
import { parseEnv } from 'node:util';
import { type Answers, envValue, questions } from './questions.ts';

export interface Variable {
  name: string;
  says: string;
  value: string;
}

export function variablesOf(answers: Answers): Variable[] {
  const asked = questions.flatMap(({ id, variable: name, ask, hint, when }) =>
    name === undefined || when?.(answers) === false
      ? []
      : [{ name, says: `${ask}: ${hint}.`, value: answers[id] ?? '' }],
  );
  const webhook = {
    name: 'FACTURA_WEBHOOK_SECRET',
    says: 'Firma los avisos del servicio; lo inventa usted (openssl rand -base64 32) e «install» lo registra.',
    value: randomBytes(36).toString('base64url'),
  };
  return [...asked, webhook];
}

export function envTexts(variables: readonly Variable[]): { example: string; own: string } {
  const text = (head: string, shown: (value: string) => string) =>
    [head, ...variables.map(({ name, says, value }) => `# ${says}\n${name}=${shown(value)}`), ''].join('\n');
  return {
    example: text('# Copie este archivo como .env y complételo; .env nunca va a un repositorio.', () => ''),
    own: text(
      '# Secretos de facturapuente: no los comparta ni los suba a un repositorio.',
      (value) => envValue(value) ?? '',
    ),
  };
}

export function lackingIn(env: string, variables: readonly Variable[]): string[] {
  const values = parseEnv(env);
  return variables.flatMap(({ name }) => (values[name] ? [] : [name]));
}
