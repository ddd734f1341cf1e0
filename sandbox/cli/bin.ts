#!/usr/bin/env node
import { runCommandLine } from '../../src/cli/spanish.ts';
import { openSandboxCommandLine } from './index.ts';

process.exitCode = await runCommandLine(process.argv, () => openSandboxCommandLine('facturapuente-sandbox'));
