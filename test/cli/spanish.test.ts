import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openCommandLine } from '../../src/cli/main.ts';

const bin = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url));

/** What the command line prints, and on which of the two streams is no matter here. */
const said = (...args: string[]): Promise<string> =>
  new Promise((resolve) => {
    execFile(process.execPath, [bin, ...args], (_error, stdout, stderr) => resolve(stdout + stderr));
  });

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
  const text = await said(...args);
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
