import { hostname, userInfo } from 'node:os';

/** Who types this command, for histories and the panel's audit: "ana@maquina". */
export const whoAmI = (): string => `${userInfo().username}@${hostname()}`;
