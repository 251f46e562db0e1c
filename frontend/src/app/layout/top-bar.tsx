import MenuRounded from '@mui/icons-material/MenuRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { onlyReads, ownsNothing } from '../../shared/account/first-page';
import type { CurrentUser } from '../../shared/api/current-user';
import { Logo } from '../../shared/plain/logo';
import { PlanState } from '../../shared/plan/plan-state';
import { usePlanOnReturn } from '../../shared/plan/use-plan-on-return';
import { usePlanAbilities } from '../../shared/plan/use-subscription';
import { WhereSold } from '../../shared/site/where-sold';
import { layoutSize } from '../theme/tokens';
import { ReadingSwitch } from './reading-switch';
import { Search } from './search';
import { UserMenu } from './user-menu';

interface Props {
  user?: CurrentUser;
  wide: boolean;
  drawerOpen: boolean;
  onOpenDrawer: () => void;
}

/** The bar above the signed-in pages. */
export function TopBar({ user, wide, drawerOpen, onOpenDrawer }: Props) {
  const { t } = useTranslation();
  const { upgrade, manage } = usePlanAbilities();
  // What is sold is nothing to them, and Home is another page.
  const isReading = user && onlyReads(user);
  // Whoever pays sees what for, also without a zone.
  const showsPlan = user && !user.isReader && (!ownsNothing(user) || manage);
  usePlanOnReturn();
  return (
    <Box
      component="header"
      sx={{
        position: 'sticky',
        top: 0,
        zIndex: 'appBar',
        display: 'flex',
        alignItems: 'center',
        gap: 2,
        minHeight: layoutSize.topBar,
        px: { xs: 4, md: 8 },
        borderBottom: 1,
        borderColor: 'divider',
        bgcolor: 'background.paper',
        // On a phone the plan and the account need its place.
        '& .z-logo .z-badge': { display: { xs: 'none', sm: 'inline-flex' } },
      }}
    >
      {wide ? (
        !isReading && (
          <>
            <Button component={Link} to="/home" variant="text" sx={{ ml: -2, color: 'text.secondary' }}>
              {t('nav.home')}
            </Button>
            <WhereSold>
              <Button component={Link} to="/pricing" variant="text" sx={{ color: 'text.secondary' }}>
                {t('nav.pricing')}
              </Button>
            </WhereSold>
          </>
        )
      ) : (
        <>
          <IconButton aria-label={t('nav.open')} aria-expanded={drawerOpen} edge="start" onClick={onOpenDrawer}>
            <MenuRounded />
          </IconButton>
          <Logo compact />
        </>
      )}
      <Box sx={{ flex: 1 }} />
      {user && <Search wide={wide} />}
      {wide && <Box sx={{ flex: 1 }} />}
      {user && <ReadingSwitch user={user} wide={wide} />}
      {showsPlan && <PlanState />}
      {showsPlan && wide && upgrade && (
        <Button component={Link} to="/pricing">
          {t('plan.upgrade')}
        </Button>
      )}
      {user && <UserMenu user={user} />}
    </Box>
  );
}
