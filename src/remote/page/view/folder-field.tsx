import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { revealControls } from '../../../web/reveal-controls.js';

interface FolderFieldProps {
  /** Folders of the desk that the person can choose. */
  readonly folders: readonly string[];
  readonly folder: string;
  readonly onChoose: (folder: string) => void;
}

const OTHER = '';

/**
 * Field for the folder of a new session: a list, and a text field for a folder below one of the list. The suggestions of a text
 * field would be those alone that contain what stands in it.
 */
export function FolderField({ folders, folder, onChoose }: FolderFieldProps): JSX.Element {
  const [isOther, setOther] = useState(false);
  return (
    <>
      <label>
        Folder
        <select
          value={isOther ? OTHER : folder}
          onChange={({ currentTarget: { value } }) => {
            setOther(value === OTHER);
            if (value !== OTHER) onChoose(value);
          }}
        >
          {folders.map((path) => (
            <option key={path} value={path}>
              {revealControls(path)}
            </option>
          ))}
          <option value={OTHER}>Another folder…</option>
        </select>
      </label>
      {isOther && (
        <label>
          Path of the folder
          <input
            type="text"
            value={folder}
            required
            autocapitalize="off"
            spellcheck={false}
            onInput={({ currentTarget }) => onChoose(currentTarget.value)}
          />
        </label>
      )}
    </>
  );
}
