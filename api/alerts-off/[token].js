import { getAlertsOff, postAlertsOff } from '../../lib/endpoints/mail-links/alerts-off.ts';
import { serve } from '../../lib/http/serve.ts';

export default serve(getAlertsOff, postAlertsOff);
