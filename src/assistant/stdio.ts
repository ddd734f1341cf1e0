import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type Call, openMcpServer } from './server.ts';

/** Serves the tools over standard input and output until the assistant hangs up. */
export function serveOverStdio(version: string, call: Call): void {
  serveStdio(() => openMcpServer(version, call));
}
