import { describe, expect, test } from 'vitest';
import { faultForms } from '../../sandbox/emulator/control/page/fault-forms.ts';
import { answerKinds, eventKinds, faultSchema } from '../../sandbox/emulator/faults/schema.ts';
import { submit, visit } from './page-support.ts';
import { factura, start } from './support.ts';

describe('faults on the page', () => {
  test('a fault added by its form comes back to its page, waits there, and strikes', async () => {
    const { sandbox, emit } = await start();
    const sent = await submit(sandbox.url, '/pagina/fallas', 'fallas', {
      falla: 'failBeforeStoring',
      status: '503',
      times: '2',
    });
    expect([sent.status, sent.location]).toEqual([303, '/pagina/fallas?aviso=falla']);
    const { text } = await visit(sandbox.url, sent.location ?? '');
    expect(text).toMatch(/role="status"><p class="notice ok">Falla agregada\./);
    expect(text).toMatch(/Error antes de almacenar<\/strong><span class="under">status 503<\/span>.*2 veces/);
    expect((await emit(factura())).status).toBe(503);
    expect((await visit(sandbox.url, '/pagina/fallas')).text).toContain('1 vez');
    await submit(sandbox.url, '/pagina/fallas', 'fallas/quitar');
    expect((await emit(factura())).status).toBe(200);
    expect((await visit(sandbox.url, '/pagina/fallas')).text).toContain('el sandbox se porta bien');
  });

  test('every kind of fault has a form, which adds it as it stands', async () => {
    expect(faultForms.map(({ kind }) => kind).sort()).toEqual(Object.keys(faultSchema.shape).sort());
    const { sandbox } = await start();
    for (const { kind, fields } of faultForms) {
      const preset = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
      const sent = await submit(sandbox.url, '/pagina/fallas', 'fallas', { falla: kind, ...preset });
      expect([kind, sent.status]).toEqual([kind, 303]);
      expect(sandbox.faults.list().map((one) => one.kind)).toEqual([kind]);
      sandbox.faults.clear();
    }
  });

  test('faults by chance take the kinds of answers, of webhooks, or both', async () => {
    const { sandbox } = await start();
    const add = (kinds: string) =>
      submit(sandbox.url, '/pagina/fallas', 'fallas', {
        falla: 'chaos',
        kinds,
        probability: '0.5',
        seed: '7',
      });
    for (const kinds of ['answer', 'event', 'all']) await add(kinds);
    expect(sandbox.faults.list().map(({ detail }) => detail)).toMatchObject([
      { kinds: [...answerKinds].sort(byForm), seed: 7, probability: 0.5 },
      { kinds: [...eventKinds].sort(byForm) },
      { kinds: [...answerKinds, ...eventKinds].sort(byForm) },
    ]);
  });
  const order = faultForms.map(({ kind }) => kind);
  const byForm = (a: string, b: string) => order.indexOf(a) - order.indexOf(b);

  test.each<[string, Record<string, string>, string]>([
    ['a kind that does not exist', { falla: 'nada' }, 'Esa falla no existe.'],
    [
      'a status out of range',
      { falla: 'failBeforeStoring', status: '999', times: '1' },
      'revise los valores',
    ],
    ['an operation that does not exist', { falla: 'dropAnswer', operacion: 'nada' }, 'no existe'],
  ])('%s is refused in words and adds nothing', async (_what, fields, words) => {
    const { sandbox } = await start();
    const sent = await submit(sandbox.url, '/pagina/fallas', 'fallas', fields);
    expect(sent.status).toBe(400);
    expect(sent.text).toMatch(new RegExp(`notice bad">[^<]*${words}`));
    expect(sandbox.faults.list()).toEqual([]);
  });
});
