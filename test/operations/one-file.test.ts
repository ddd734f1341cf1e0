import { Command } from 'commander';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { callTool, toolsOf } from '../../src/assistant/tools.ts';
import { whoAmI } from '../../src/cli/given.ts';
import { addOperation } from '../../src/cli/operation-command.ts';
import { defineOperation, field, fields } from '../../src/operations/operation.ts';
import { openPanelBench } from '../panel/bench.ts';
import { settle } from '../reports/day.ts';
import { auditLogIn } from '../support/audit-log.ts';
import { openProduct } from '../support/product.ts';

const noted: string[] = [];

/** All that an operation needs: no other file knows it. */
const note = defineOperation({
  name: 'documents note',
  title: 'Anotar un documento',
  description: 'Guarda una nota sobre un documento.',
  role: 'operate',
  changes: true,
  form: { as: 'listed' },
  tool: true,
  input: z.object({
    document: fields.document,
    times: field(z.int('Es un número entero.').max(3), {
      title: 'Veces',
      description: 'cuántas veces',
      value: 'número',
    }),
    loud: fields.flag('en mayúsculas'),
  }),
  async look({ find }, asked) {
    const { ambiente, version, id } = await find(asked);
    return { ambiente, input: { document: id }, seen: `${id} ${version}`, shown: { id } };
  },
  async run({ find, by }, { times, loud, ...asked }) {
    const { id } = await find(asked);
    noted.push(`${by} ${times} ${loud}`);
    return { done: true, message: `Anotado ${times} veces.`, data: { times }, subject: id, facts: { times } };
  },
});

describe('an operation that is declared in one place', () => {
  test('has a command with its arguments, options, help and JSON, and an entry in the audit log', async () => {
    const product = await openProduct({ engine: 'sqlite' });
    onTestFinished(() => product.close());
    await product.start();
    await product.deliver('1201');
    const number = '001-001-000000001';
    await vi.waitFor(() => expect(product.sandbox.documents()).toHaveLength(1), 20_000);
    const program = new Command().exitOverride();
    addOperation(program, note);
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    onTestFinished(() => written.mockRestore());
    const command = (...more: string[]) =>
      program.parseAsync(['node', 'x', 'documents', 'note', number, '--config', product.file, ...more]);
    await command('--times', '2', '--loud', '--json');
    expect(JSON.parse(String(written.mock.lastCall?.[0]))).toEqual({ times: 2 });
    expect(noted.splice(0)).toEqual([`${whoAmI()} 2 true`]);
    expect(auditLogIn(product.ledger)).toEqual([
      {
        who: whoAmI(),
        what: 'documents-note',
        subject: expect.any(String),
        outcome: 'done',
        facts: { times: 2 },
      },
    ]);
    const refused = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestFinished(() => refused.mockRestore());
    await expect(command('--times', 'dos')).rejects.toThrow(/Es un número entero/);
    expect(noted).toEqual([]);
  });

  test('has a form in the panel, on the page of operations, that says what is wrong beside the field', async () => {
    const panel = await openPanelBench({}, {}, [note]);
    await settle(panel.bench, '1201');
    const { id } = await panel.bench.document();
    const [rosa, omar] = [await panel.signIn('rosa'), await panel.signIn('omar')];
    const at = '/panel/operacion/documents-note';
    expect(await omar.text('/panel/operaciones')).toContain(`href="${at}"`);
    expect((await rosa.get(at)).status).toBe(403);
    const form = await omar.text(`${at}?document=${id}`);
    expect(form).toContain('Pedido #1201');
    expect(form).toMatch(/<input type="text" id="times" name="times"/);
    expect(form).toMatch(/<input type="checkbox" name="loud"/);
    const sent = { volver: `/operacion/documents-note?document=${id}`, seguir: '', document: id };
    const wrong = await omar.post(at, { ...sent, times: 'dos', loud: 'si' });
    expect([wrong.status, await wrong.text()]).toEqual([
      422,
      expect.stringContaining('Es un número entero.'),
    ]);
    expect((await omar.post(at, { ...sent, times: '3' })).headers.get('location')).toBe('/panel');
    expect(noted.splice(0)).toEqual(['omar (panel) 3 false']);
    expect(await (await panel.signIn('carla')).text('/panel/registro')).toContain('Anotar un documento');
  });

  test('has a tool that plans and one that executes the plan, once', async () => {
    const { bench, operations } = await openPanelBench({}, {}, [note]);
    await settle(bench, '1201');
    const parts = { operations, plans: bench.deps, allowProduction: false };
    expect(toolsOf(operations).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['plan_documents_note', 'documents_note']),
    );
    const call = (tool: string, input: unknown) =>
      callTool(parts, tool, input, { by: 'prueba (asistente)', scope: null });
    const planned = await call('plan_documents_note', { document: '001-001-000000001', times: 1 });
    const { plan } = (planned as unknown as { data: { execute: { plan: string } } }).data.execute;
    expect(await call('documents_note', { plan })).toEqual({
      ok: true,
      data: { done: true, message: 'Anotado 1 veces.' },
    });
    expect(noted.splice(0)).toEqual(['prueba (asistente) 1 false']);
    expect(await call('documents_note', { plan })).toMatchObject({ ok: false });
  });
});
