import { DASHBOARD } from '../lib/dashboard/site.ts';
import { servePages } from '../lib/http/pages/serve-pages.ts';

export default servePages(DASHBOARD);
