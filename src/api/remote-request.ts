/** An option of a dialog or a question. */
export interface RemoteOption {
  /** Id with which the option is chosen. */
  readonly id: string;
  /** Label for display. */
  readonly label: string;
}

/** A question of the agent to the person. */
export interface RemoteQuestion {
  /** Id of the question in the answer. */
  readonly id: string;
  /** Text of the question. */
  readonly text: string;
  /** Answers to choose from. Empty for a free text. */
  readonly options: readonly RemoteOption[];
  /** True if several options may be chosen. */
  readonly isMultiple: boolean;
}

/** Something that waits for a person: a tool call, a question of the agent, or a dialog that only its text explains. */
export interface RemoteRequest {
  /** Id of the request. */
  readonly id: string;
  /** Id of the session on this server. */
  readonly sessionId: string;
  /** `tool` asks for a permission, `question` for answers, `dialog` for one of the options that a screen shows. */
  readonly kind: 'tool' | 'question' | 'dialog';
  /** Name of the tool, as the agent calls it. Empty for a dialog. */
  readonly toolName: string;
  /** What is asked, on one line of at most 200 characters. */
  readonly title: string;
  /** Arguments of the tool call. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Hash of tool and arguments. An answer that allows must repeat it, so that a call that has changed is never allowed. */
  readonly inputHash: string;
  /** Change of a file as a unified diff. */
  readonly diff?: string | undefined;
  /** Command line of a shell command. */
  readonly command?: string | undefined;
  /** Text of a dialog, as the screen shows it. */
  readonly text?: string | undefined;
  /**
   * True if the request lacks a part of the call: its diff, its text or its arguments were too long, or are no text. A person who
   * allows it allows what was not shown.
   *
   * @defaultValue the request shows the whole call
   */
  readonly isCut?: boolean | undefined;
  /** Questions of the agent, for `question`. */
  readonly questions: readonly RemoteQuestion[];
  /** Options of a dialog, for `dialog`. */
  readonly options: readonly RemoteOption[];
  /** True if the session cannot be told to allow: the request can only be denied, or answered at the desk. */
  readonly isDenyOnly: boolean;
  /** True if the request shows more than a rule can know, such as a warning: no rule answers it, and none is made from it. */
  readonly isOnceOnly?: boolean | undefined;
  /**
   * How the reason of a denial reaches the model: with the `refusal`, so that the turn goes on; as a prompt `after-turn`; as a
   * `new-turn`, because the agent forgets the refused one; or not at all (`none`).
   */
  readonly reasonWay: 'refusal' | 'after-turn' | 'new-turn' | 'none';
  /**
   * What `allow-for-session` would allow from then on, for display: a tool, a program with any arguments (`npm test …`), or one
   * command word for word. Absent if no rule is safe: `allow-for-session` is then the same as `allow`.
   */
  readonly rule?: string | undefined;
  /** Time of the request, ISO 8601. */
  readonly createdAt: string;
}

/** Answer of a person to a request. */
export type RemoteDecision =
  | {
      /** Allows this call. */
      readonly type: 'allow';
      /** Hash of the request that was shown. */
      readonly inputHash: string;
    }
  | {
      /** Allows this call, and later calls of the same kind in this session. */
      readonly type: 'allow-for-session';
      /** Hash of the request that was shown. */
      readonly inputHash: string;
    }
  | {
      /** Refuses the call. The turn goes on, and the model gets the reason where the agent can carry it. */
      readonly type: 'deny';
      /** Reason for the model. */
      readonly reason?: string | undefined;
    }
  | {
      /** Answers the questions of the agent. */
      readonly type: 'answer';
      /** Answer by id of the question: the id of an option, several of them, or a text. */
      readonly answers: Readonly<Record<string, string | readonly string[]>>;
    }
  | {
      /** Chooses an option of a dialog. */
      readonly type: 'choose';
      /** Id of the option. */
      readonly option: string;
    };

/** A rule that a person has made for one session by `allow-for-session`. It ends with the session. */
export interface RemoteRule {
  /** Id of the rule. */
  readonly id: string;
  /** Id of the session on this server. */
  readonly sessionId: string;
  /** Name of the tool that the rule allows. */
  readonly toolName: string;
  /**
   * Program and subcommand that the rule allows with further words: names inside of the working directory, and options of programs that
   * only read. Set for programs that are known to read, check or test.
   */
  readonly commandPrefix?: string | undefined;
  /** Command that the rule allows word for word, for all other shell commands. */
  readonly command?: string | undefined;
  /** Hash of the other arguments of the command, such as its folder: the rule holds for the same ones. */
  readonly inputHash?: string | undefined;
  /** Name of the device that made the rule. */
  readonly by: string;
  /** Time at which the rule was made, ISO 8601. */
  readonly createdAt: string;
}
