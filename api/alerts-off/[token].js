import { getAlertsOff, postAlertsOff } from '../../lib/accounts/alerts/routes.ts';
import { serve } from '../../lib/http/serve.ts';

export default serve(getAlertsOff, postAlertsOff);
