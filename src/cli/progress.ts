import { progress as openBar } from '@clack/prompts';

/** `of` is null while the total is not known. */
interface Progress {
  at(done: number, of: number | null): void;
  end(): void;
}

const nothing: Progress = { at: () => {}, end: () => {} };
const size = 40;

export function openProgress(title: string, things = 'pedidos', output = process.stderr): Progress {
  if (!output.isTTY) return nothing;
  // The terminal is raw meanwhile: without this Ctrl+C has no effect.
  const bar = openBar({ max: size, size, output, onCancel: () => process.exit(130) });
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
