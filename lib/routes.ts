import { getAlertsOff, postAlertsOff } from './accounts/alerts/routes.ts';
import {
  deleteDealer,
  getDealer,
  getDealers,
  patchDealers,
  postDealers,
  postTestLead,
} from './accounts/dealers/routes.ts';
import { getHealth } from './accounts/operator/platform.ts';
import {
  deleteKey,
  getAccount,
  getAccounts,
  getKeys,
  patchAccount,
  postAccounts,
  postKeys,
  postSignInLinks,
} from './accounts/operator/routes.ts';
import { getOwnAccount } from './accounts/routes.ts';
import { postWidgetChat } from './chat/routes.ts';
import {
  deleteFeed,
  getFeed,
  getFeedChanges,
  getFeedRejects,
  getFeedRun,
  getFeedRuns,
  getFeeds,
  patchFeed,
  postFeedPreview,
  postFeedRuns,
  postFeeds,
  refuseFeedRun,
  releaseFeedRun,
} from './feeds/routes.ts';
import type { Endpoint } from './http/endpoint.ts';
import { getMedia } from './images/routes.ts';
import { patchInventory, postInventory } from './inventory/routes/inventory.ts';
import { deleteInventory, getInventory } from './inventory/routes/listing.ts';
import { getIssues } from './issues/routes.ts';
import { cronDue, cronHousekeeping } from './jobs/cron-jobs.ts';
import { getConfirmAddress, postConfirmAddress } from './leads/routes/confirm-address.ts';
import { deleteLead, getLead, getLeads, patchLead, postLeadDeliveries } from './leads/routes/leads.ts';
import { getWidgetForms, postWidgetLead } from './leads/routes/widget.ts';
import { getMarketComparables, getMarketPrices, getMarketTrends } from './market/routes.ts';
import { searchInventory } from './search/routes.ts';
import { getWidgetInventory } from './search/widget/routes.ts';

/** Every endpoint of the service: what the OpenAPI document, the docs and the generated tests are made from. */
export const ENDPOINTS: readonly Endpoint[] = [
  postInventory,
  searchInventory,
  patchInventory,
  getInventory,
  deleteInventory,
  getIssues,
  postDealers,
  patchDealers,
  getDealers,
  getDealer,
  deleteDealer,
  postTestLead,
  getOwnAccount,
  getWidgetInventory,
  getWidgetForms,
  postWidgetChat,
  postWidgetLead,
  getLeads,
  getLead,
  postLeadDeliveries,
  patchLead,
  deleteLead,
  postFeeds,
  postFeedPreview,
  getFeeds,
  getFeed,
  patchFeed,
  deleteFeed,
  postFeedRuns,
  getFeedRuns,
  getFeedRun,
  getFeedChanges,
  releaseFeedRun,
  refuseFeedRun,
  getFeedRejects,
  getMarketPrices,
  getMarketComparables,
  getMarketTrends,
  postAccounts,
  getAccounts,
  getAccount,
  patchAccount,
  postKeys,
  getKeys,
  deleteKey,
  postSignInLinks,
  getHealth,
  cronHousekeeping,
  cronDue,
  getMedia,
  getConfirmAddress,
  postConfirmAddress,
  getAlertsOff,
  postAlertsOff,
];
