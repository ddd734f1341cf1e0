#!/usr/bin/env node
import { openSandboxCommandLine } from './index.ts';

await openSandboxCommandLine('facturapuente-sandbox').parseAsync(process.argv);
