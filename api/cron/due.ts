import { cronDue } from '../../lib/endpoints/cron-due.ts';
import { serve } from '../../lib/http/serve.ts';

export default serve(cronDue);
