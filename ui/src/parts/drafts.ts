/** Half-written messages survive leaving the page, reloading it and closing the browser. */

export interface Draft {
  read: () => string;
  /** An empty text forgets the draft. */
  write: (text: string) => void;
}

const PREFIX = 'dayshift.draft';

/** The draft of one box: a thread's id, or a name of its own. */
export function draftStore(office: string, box: string): Draft {
  const key = `${PREFIX}:${office}:${box}`;
  return {
    read: () => {
      try {
        return localStorage.getItem(key) ?? '';
      } catch {
        return '';
      }
    },
    write: (text) => {
      try {
        if (text.trim() === '') localStorage.removeItem(key);
        else localStorage.setItem(key, text);
      } catch {
        // storage is full or forbidden: the box still works, only without memory
      }
    },
  };
}
