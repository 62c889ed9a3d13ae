package io.polytable.entity.tool;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code polytable entity}. */
@Command(
        name = "entity",
        description = "Entities with typed, versioned cells, on any store: the URI picks it.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            InstanceCommands.Install.class,
            InstanceCommands.Uninstall.class,
            InstanceCommands.Listing.class,
            InstanceCommands.Properties.class,
            InstanceCommands.Schemas.class,
            LayoutCommands.Create.class,
            LayoutCommands.Drop.class,
            LayoutCommands.Layout.class,
            LayoutCommands.Annotations.class,
            DdlCommand.class,
            ImportCommand.class,
            MetadataCommands.Metadata.class,
            MetadataCommands.Grants.class,
            MetadataCommands.Flush.class,
            MetadataCommands.Version.class,
            CellCommands.Get.class,
            CellCommands.Scan.class,
            CellCommands.Put.class,
            CellCommands.Increment.class,
            CellCommands.Delete.class
        })
public final class EntityCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "polytable entity needs a command");
    }
}
