/** Runs a call and may look at its arguments, answer or error; must hand them on unchanged. */
export type Watch = (
  name: string,
  call: () => Promise<unknown>,
  args: readonly unknown[],
) => Promise<unknown>;

/**
 * The same object, each of its methods watched under its name. For objects whose methods are calls to somewhere
 * else; those in `except` are left alone.
 */
export function watchCalls<T extends object>(target: T, except: readonly string[], watch: Watch): T {
  return new Proxy(target, {
    get(object, name) {
      const value: unknown = Reflect.get(object, name);
      if (typeof name !== 'string' || typeof value !== 'function' || except.includes(name)) return value;
      return (...args: unknown[]) => watch(name, () => value.apply(object, args), args);
    },
  });
}
