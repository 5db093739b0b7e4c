import { serve } from '../../lib/http/serve.ts';
import { getIssues } from '../../lib/issues/routes.ts';

export default serve(getIssues);
