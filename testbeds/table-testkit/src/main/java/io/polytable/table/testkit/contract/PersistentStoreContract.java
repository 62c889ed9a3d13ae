package io.polytable.table.testkit.contract;

/**
 * The contract for stores whose rows survive a restart. Run it a second time with a {@link #betweenSteps()} that calls
 * {@link #reopen()}: then every test of the contract has restarts in it.
 */
public abstract class PersistentStoreContract extends TableStoreContract implements RestartContract {
    @Override
    public final void restart() {
        reopen();
    }
}
