import { RecentActivity } from '../../features/dashboard/recent-activity';
import { StatCards } from '../../features/dashboard/stat-cards';
import { AnalyticsPage } from '../../features/insights/analytics.page';

export function ComposedAnalyticsPage() {
  return <AnalyticsPage statCards={<StatCards />} recentActivity={<RecentActivity />} />;
}
