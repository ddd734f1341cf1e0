import { expect, test } from 'vitest';
import { openCommandLine } from '../../src/cli/main.ts';
import { run } from '../support/run.ts';

test.each([
  [['documentos'], 'No existe el comando «documentos».\n¿Quiso decir documents?'],
  [['documents', '--stat'], 'No existe la opción «--stat».\n¿Quiso decir --state?'],
  [
    ['documents', '--state', 'x'],
    'El valor «x» de la opción «--state <estado...>» no sirve. Valores posibles: ',
  ],
  [['plan'], 'Falta el dato «pedido.json».'],
  [['move'], 'Falta la opción «--to <dirección>».'],
  [['move', '--to'], 'A la opción «--to <dirección>» le falta su valor.'],
  [['doctor', 'todo'], 'Sobra: todo.'],
  [['sandbox', '--port', 'abc'], 'no sirve. Debe ser un número entero.'],
])('a mistyped command line is answered in Spanish: %j', async (args, answer) => {
  const { code, stdout, stderr } = await run(args);
  const text = stdout + stderr;
  expect(code).toBe(1);
  expect(text).toContain(answer);
  expect(text).not.toMatch(/error:/);
});

test('help is in Spanish from the first word to the last, of every command', () => {
  const texts: string[] = [];
  const visit = (command: ReturnType<typeof openCommandLine>): void => {
    texts.push(command.helpInformation());
    command.commands.forEach(visit);
  };
  visit(openCommandLine());
  expect(texts.length).toBeGreaterThan(30);
  for (const text of texts) {
    expect(text).toMatch(/^Uso: /);
    expect(text).not.toMatch(/Usage|Options:|Commands:|Arguments:|display help|default:|choices:|output the/);
  }
});
