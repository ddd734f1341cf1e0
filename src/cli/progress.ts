import { progress } from '@clack/prompts';

/** How far a long command has come; `of` is null while that is not known yet. */
export interface Progress {
  at(done: number, of: number | null): void;
  end(): void;
}

const nothing: Progress = { at: () => {}, end: () => {} };
const size = 40;

/** A bar on the terminal of whoever waits; nothing where the output is read by a program. */
export function openProgress(title: string, things = 'pedidos', output = process.stderr): Progress {
  if (!output.isTTY) return nothing;
  // The terminal is raw while the bar turns: without this nobody could break it off.
  const bar = progress({ max: size, size, output, onCancel: () => process.exit(130) });
  bar.start(title);
  let shown = 0;
  return {
    at(done, of) {
      if (of === null) return bar.message(`${title}: ${done} ${things} encontrados`);
      const now = of === 0 ? size : Math.floor((done / of) * size);
      bar.advance(now - shown, `${title}: ${done} de ${of} ${things}`);
      shown = now;
    },
    end: () => bar.stop(title),
  };
}
