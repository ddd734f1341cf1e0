/** The process dies at the next call of this method, before anything of it is done: whatever ran comes back. */
export function dieBefore<K extends string>(
  of: Record<K, (...given: never[]) => Promise<unknown>>,
  method: K,
): void {
  const real = of[method];
  of[method] = async () => {
    of[method] = real;
    throw new Error('The process died.');
  };
}
