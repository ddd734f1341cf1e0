import { z } from 'zod';
import { retry } from '../operations/documents.ts';
import { gatherTasks } from './gather.ts';
import { comeFrom } from './show.ts';
import { todayWords } from './today-words.ts';
import type { PanelAction } from './visit.ts';

const one = z.object({ documento: z.string().min(1).max(80) });

export const retryGroupAction: PanelAction = {
  path: '/reintentar-todos',
  role: 'operate',
  async run(visit, form) {
    const { documento } = one.parse(form);
    const { lines } = await gatherTasks(visit.deps);
    const group = lines.find(
      (line) => line.kind === 'documents' && line.tasks.some(({ document }) => document.id === documento),
    );
    const tasks = group?.kind === 'documents' ? group.tasks : [];
    for (const { document } of tasks) await visit.deps.carryOut(retry, { document: document.id });
    return { to: comeFrom(form), message: todayWords.allDone(tasks.length) };
  },
};
