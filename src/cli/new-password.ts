import { ConfigError } from '../domain/errors.ts';
import { leastCharacters, mostBytes, tooLong, tooShort } from '../web/password.ts';

/** Why this cannot be a password of the panel; null where it can. */
export function passwordFlaw(password: string): ConfigError | null {
  if (tooShort(password))
    return new ConfigError(
      'password-short',
      `La contraseña debe tener al menos ${leastCharacters} caracteres.`,
      `The password must have at least ${leastCharacters} characters.`,
    );
  if (tooLong(password))
    return new ConfigError(
      'password-long',
      `La contraseña puede ocupar hasta ${mostBytes} bytes: una letra ocupa uno, con tilde dos.`,
      `The password may take at most ${mostBytes} bytes (UTF-8).`,
    );
  return null;
}
