import { McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { readPackageVersion } from '../../base/fs/package-version.js';
import { addControlTools } from './control-tools.js';
import { isJobPart, listJobParts, RESOURCE_TEMPLATE, readJobPart, uriOf } from './job-resources.js';
import { addJobTools } from './job-tools.js';
import type { McpServerParts } from './mcp-server-parts.js';
import { INSTRUCTIONS } from './tool-texts.js';

/** Creates the server for one connection. Jobs belong to the parts, so that a connection can be opened again. */
export function createMcpServer(parts: McpServerParts): McpServer {
  const info = {
    name: 'gemini-cli-provider',
    title: 'Gemini CLI',
    version: readPackageVersion(),
  };
  const server = new McpServer(info, { instructions: INSTRUCTIONS });
  addJobTools(server, parts);
  addControlTools(server, parts);
  addResources(server, parts);
  return server;
}

function addResources(server: McpServer, { jobs }: McpServerParts): void {
  const list = () => ({
    resources: jobs.list().flatMap((job) =>
      (job.hasEnded ? listJobParts(job) : []).map((part) => {
        return { uri: uriOf(job.id, part), name: `${part} of ${job.id}` };
      }),
    ),
  });
  server.registerResource(
    'job',
    new ResourceTemplate(RESOURCE_TEMPLATE, { list }),
    {
      title: 'Output of a job',
      description: 'The whole text, the files with all diffs, the patch, or the report of a job',
    },
    (uri, { id, part }) => {
      const job = jobs.get(String(id));
      if (!isJobPart(part)) throw new Error(`There is no part ${JSON.stringify(part)} of a job`);
      return { contents: [{ uri: uri.href, ...readJobPart(job, part) }] };
    },
  );
}
