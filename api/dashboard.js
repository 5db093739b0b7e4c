import { serveDashboard } from '../lib/dashboard/serve.ts';

export default serveDashboard();
