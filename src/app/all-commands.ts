import { z } from 'zod';
import type { AssistantParts } from '../assistant/tool.ts';
import { callTool, type ToolAnswer } from '../assistant/tools.ts';
import { type Scope, type Settings, scopeOf } from '../domain/settings.ts';
import type { Commands } from '../domain/storing.ts';
import type { CloseAnswer } from '../reports/close/closing.ts';
import type { Exported } from '../reports/export/export-month.ts';
import { command, openCommands } from './commands.ts';
import type { Runtime } from './runtime.ts';

export interface AllCommands {
  commands: Commands;
  /** Runs a tool for an assistant, limited to `stores` where they are given. */
  assistant(
    tool: string,
    input: unknown,
    holder: { by: string; stores?: readonly string[] | undefined },
  ): Promise<ToolAnswer>;
}

/** Every command: about documents (commands.ts), days and months, and the tools of assistants (src/assistant). */
export function openAllCommands(
  runtime: Runtime,
  settings: Pick<Settings, 'stores'>,
  { allowProduction }: { allowProduction: boolean },
): AllCommands {
  const { handlers, closing, exporting } = runtime;
  const commands = openCommands(handlers, settings, {
    ofStores: {
      close: command(closeInput, async (asked, { scope }) =>
        answered(await closing.close({ ...asked, scope }), saidClose),
      ),
    },
    // An export is a file of this machine, at a path the caller chooses.
    ofInstallation: {
      export: command(exportInput, async (asked) => answered(await exporting.month(asked), saidExport)),
      /** `data` is the ToolAnswer. */
      assistant: command(toolInput, async ({ tool, input }, { by }) => {
        const data = await assistant(tool, input, { by });
        return { done: data.ok, says: data.ok ? '' : data.says, data };
      }),
    },
  });
  const parts: AssistantParts = { handlers, settings, closing, commands, allowProduction };
  const assistant: AllCommands['assistant'] = (tool, input, { by, stores }) => {
    const scope: Scope | null = stores ? scopeOf(stores, settings.stores, by) : null;
    return callTool(parts, tool, input, { by, scope });
  };
  return { commands, assistant };
}

const toolInput = { tool: z.string().max(80), input: z.record(z.string().max(80), z.unknown()) };

const closeInput = { day: z.iso.date(), store: z.string().max(63).optional(), save: z.boolean() };

const exportInput = {
  month: z.string().max(7),
  out: z.string().min(1).max(4096),
  store: z.string().max(63).optional(),
  ruc: z.string().max(13).optional(),
  plain: z.boolean(),
};

const answered = <T extends object>(data: T, says: (data: T) => string) => ({
  done: true,
  says: says(data),
  data,
});

function saidClose({ close: { day, result, differences } }: CloseAnswer): string {
  if (result === 'green') return `El ${day} cuadra.`;
  if (result === 'incomplete') return `El ${day} no se pudo conciliar: todavía falta algo.`;
  if (result === 'partial')
    return `El ${day} cuadra entre el registro y el servicio; a una tienda no se le puede preguntar.`;
  return `El ${day} no cuadra: ${differences.length === 1 ? 'hay una diferencia' : `hay ${differences.length} diferencias`}.`;
}

function saidExport({ out, facturas, creditNotes, missing }: Exported): string {
  const what = `${facturas} facturas y ${creditNotes} notas de crédito en ${out}.`;
  if (missing === 0) return what;
  return `${what} Faltan ${missing} archivos que ni el registro ni el servicio pudieron dar; están nombrados en faltantes.csv: repita la exportación más tarde.`;
}
