import { ConfigError } from '../domain/errors.ts';
import { leastCharacters, mostBytes, tooLong, tooShort } from '../web/password.ts';

/** Why this cannot be a password of the panel; null where it can. */
export function passwordFlaw(password: string): ConfigError | null {
  if (tooShort(password)) return new ConfigError('password', { least: leastCharacters, most: mostBytes });
  if (tooLong(password)) return new ConfigError('password', { least: leastCharacters, most: mostBytes });
  return null;
}
