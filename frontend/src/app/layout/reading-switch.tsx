import EditNoteRounded from '@mui/icons-material/EditNoteRounded';
import MenuBookRounded from '@mui/icons-material/MenuBookRounded';
import IconButton from '@mui/material/IconButton';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { chooseFirstPage, hasBoth, useFirstPage, type FirstPage } from '../../shared/account/first-page';
import type { CurrentUser } from '../../shared/api/current-user';

const pages = ['reading', 'creating'] as const;

/** For who has zones and reads in those of others: which of the two the first page is. It leads there, too. */
export function ReadingSwitch({ user, wide }: { user: CurrentUser; wide: boolean }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const current = useFirstPage();
  const go = (page: FirstPage) => {
    chooseFirstPage(page);
    void navigate('/');
  };
  if (!hasBoth(user)) return null;
  if (!wide) {
    const other = current === 'reading' ? 'creating' : 'reading';
    return (
      <IconButton aria-label={t(`firstPage.to.${other}`)} onClick={() => go(other)}>
        {other === 'reading' ? <MenuBookRounded /> : <EditNoteRounded />}
      </IconButton>
    );
  }
  return (
    <ToggleButtonGroup exclusive size="small" value={current} aria-label={t('firstPage.label')}>
      {pages.map((page) => (
        <ToggleButton key={page} value={page} onClick={() => go(page)}>
          {t(`firstPage.${page}`)}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
