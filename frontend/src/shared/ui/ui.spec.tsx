import Button from '@mui/material/Button';
import { act, screen } from '@testing-library/react';
import { useState, type ComponentProps } from 'react';
import { renderComponent } from '../../../test/render';
import { ApiError, NETWORK_ERROR } from '../api/api-error';
import { ConfirmDialog } from './confirm-dialog';
import { CopyField } from './fields/copy-field';
import { EmptyState } from './empty-state';
import { ErrorState } from './error-state';
import { PageHeader } from './page-header';
import { PasswordField } from './fields/password-field';
import { RowsSkeleton } from './skeletons';
import { UserAvatar } from './user-avatar';

it('shows disabled buttons of dangerous actions like other disabled buttons', async () => {
  await renderComponent(
    <>
      <Button disabled>Save</Button>
      <Button disabled color="error">
        Delete
      </Button>
      <Button color="error">Remove</Button>
    </>,
  );
  const [disabled, dangerous, enabled] = ['Save', 'Delete', 'Remove'].map(
    (name) => getComputedStyle(screen.getByRole('button', { name })).color,
  );
  expect(dangerous).toBe(disabled);
  expect(enabled).not.toBe(disabled);
});

describe('ConfirmDialog', () => {
  const dialog = (props: Partial<ComponentProps<typeof ConfirmDialog>>, onConfirm: () => void, onClose: () => void) => (
    <ConfirmDialog
      open
      title="Delete “Course”?"
      confirmLabel="Delete"
      onConfirm={onConfirm}
      onClose={onClose}
      {...props}
    >
      Its 3 files go with it.
    </ConfirmDialog>
  );

  it('names the item and what will be lost, and focuses the Cancel button', async () => {
    const [onConfirm, onClose] = [jest.fn(), jest.fn()];
    const { user } = await renderComponent(dialog({}, onConfirm, onClose));
    expect(screen.getByRole('dialog', { name: 'Delete “Course”?' })).toHaveTextContent('Its 3 files go with it.');
    expect(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus();
    await user.keyboard('{Escape}');
    expect(onClose).toHaveBeenCalled();
    expect(onConfirm).not.toHaveBeenCalled();
  });

  it('can require the name to be typed', async () => {
    const onConfirm = jest.fn();
    const { user } = await renderComponent(dialog({ typeToConfirm: 'Course' }, onConfirm, jest.fn()));
    const remove = screen.getByRole('button', { name: 'Delete' });
    await user.type(screen.getByRole('textbox', { name: 'Type “Course” to confirm' }), 'course{Enter}');
    expect(remove).toBeDisabled();
    expect(onConfirm).not.toHaveBeenCalled();
    await user.clear(screen.getByRole('textbox'));
    await user.type(screen.getByRole('textbox'), 'Course');
    await user.click(remove);
    expect(onConfirm).toHaveBeenCalledTimes(1);
  });

  it('can’t be closed while busy', async () => {
    const [onConfirm, onClose] = [jest.fn(), jest.fn()];
    const { user } = await renderComponent(dialog({ isPending: true }, onConfirm, onClose));
    await user.keyboard('{Escape}');
    expect(onClose).not.toHaveBeenCalled();
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeDisabled();
  });
});

describe('Copy field', () => {
  const field = (
    <CopyField label="Public link" value="https://z.example/join/abc" failureMessage="Failed to copy link." />
  );

  it('copies its value and shows a confirmation for two seconds', async () => {
    jest.useFakeTimers();
    const { user } = await renderComponent(field);
    const copied = jest.spyOn(navigator.clipboard, 'writeText');
    await user.click(screen.getByRole('button', { name: 'Copy' }));
    expect(copied).toHaveBeenCalledWith('https://z.example/join/abc');
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeInTheDocument();
    act(() => jest.advanceTimersByTime(2000));
    expect(screen.getByRole('button', { name: 'Copy' })).toBeInTheDocument();
    jest.useRealTimers();
  });

  it('shows an error when copying fails', async () => {
    const { user } = await renderComponent(field);
    jest.spyOn(navigator.clipboard, 'writeText').mockRejectedValueOnce(new Error('denied'));
    await user.click(screen.getByRole('button', { name: 'Copy' }));
    expect(await screen.findByText('Failed to copy link.')).toBeInTheDocument();
  });

  it('is read-only', async () => {
    await renderComponent(field);
    expect(screen.getByRole('textbox', { name: 'Public link' })).toHaveAttribute('readonly');
  });
});

describe('ErrorState', () => {
  it('shows the server’s message, the reference and a retry button', async () => {
    const retry = jest.fn();
    const error = new ApiError(500, 'INTERNAL', 'Something broke.', 'req-9');
    const { user } = await renderComponent(<ErrorState error={error} title="No zones" onRetry={retry} />);
    expect(screen.getByRole('alert')).toHaveTextContent('No zonesSomething broke. Nothing was changed.');
    expect(screen.getByText('Reference: req-9')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Try Again' }));
    expect(retry).toHaveBeenCalledTimes(1);
  });

  it('falls back to a translated message when the server sent none', async () => {
    await renderComponent(<ErrorState error={new ApiError(0, NETWORK_ERROR, '')} />, { language: 'tr' });
    expect(screen.getByRole('alert')).toHaveTextContent('Sunucuya ulaşılamadı');
  });
});

describe('UI components', () => {
  it('avatars show the picture or an initial and are hidden from screen readers', async () => {
    const { container } = await renderComponent(
      <>
        <UserAvatar person={{ firstName: '', email: 'zeynep@example.org' }} />
        <UserAvatar person={{ profileImageUrl: '/picture.png' }} />
      </>,
    );
    expect(screen.getByText('Z')).toBeInTheDocument();
    expect(container.querySelector('img')).toHaveAttribute('src', '/picture.png');
    expect(screen.queryByRole('img')).not.toBeInTheDocument();
  });

  it('passwords can be revealed', async () => {
    function Sample() {
      const [value, setValue] = useState('');
      const change = (event: { target: { value: string } }) => setValue(event.target.value);
      const rest = { id: 'p', name: 'p', label: 'Password', autoComplete: 'current-password' as const };
      return <PasswordField {...rest} value={value} onChange={change} />;
    }
    const { user } = await renderComponent(<Sample />);
    const input = screen.getByLabelText('Password');
    await user.type(input, 'secret');
    expect(input).toHaveAttribute('type', 'password');
    await user.click(screen.getByRole('button', { name: 'Show password' }));
    expect(input).toHaveAttribute('type', 'text');
    expect(input).toHaveValue('secret');
  });

  it('page headers set the heading and the document title', async () => {
    await renderComponent(<PageHeader title="My Zones" back={{ to: '/', label: 'Back to dashboard' }} />);
    expect(screen.getByRole('heading', { level: 1, name: 'My Zones' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Back to dashboard' })).toHaveAttribute('href', '/');
    expect(document.title).toBe('My Zones · Zonary');
  });

  it('empty states offer an action', async () => {
    await renderComponent(
      <EmptyState title="No zones yet" text="A zone holds files." action={<button>Create</button>} />,
    );
    expect(screen.getByText('A zone holds files.')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Create' })).toBeInTheDocument();
  });

  it('skeletons announce that content is loading', async () => {
    await renderComponent(<RowsSkeleton rows={2} />);
    expect(screen.getByText('Loading…')).toBeInTheDocument();
  });
});
